package user;

import dev.hearth.api.function.MapFunction;
import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.io.Serializable;
import java.util.Objects;

/** Classes as users write them. Each is built from one number, so that a reader of an object can check its content. */
final class Kinds {
    private Kinds() {}

    /** One object of each class in turn. */
    static Serializable of(int number) {
        return switch (number % 5) {
            case 0 -> new Place(number);
            case 1 -> new Parcel(Size.values()[number % 3], number, "parcel " + number);
            case 2 -> Size.values()[number % 3];
            case 3 -> new Task(number);
            default -> new Packed(number);
        };
    }

    enum Size {
        SMALL,
        MIDDLE {
            @Override
            int weight() {
                return 2;
            }
        },
        LARGE;

        int weight() {
            return 1 + ordinal();
        }
    }

    record Parcel(Size size, long number, String text) implements Serializable {}

    /** Private and final fields, and an inherited one. */
    static final class Place extends Named {
        private static final long serialVersionUID = 1L;
        private final int number;
        private final double[] corner;
        private final Size size;

        Place(int number) {
            super("place " + number);
            this.number = number;
            this.corner = new double[] {number, -number};
            this.size = Size.values()[number % 3];
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place
                    && place.number == number
                    && place.corner.length == 2
                    && place.corner[0] == corner[0]
                    && place.corner[1] == corner[1]
                    && place.size == size
                    && place.name().equals(name());
        }

        @Override
        public int hashCode() {
            return Objects.hash(number, size);
        }
    }

    static class Named implements Serializable {
        private static final long serialVersionUID = 1L;
        private final String name;

        Named(String name) {
            this.name = name;
        }

        String name() {
            return name;
        }
    }

    /** A class that holds a capturing lambda. */
    static final class Task implements Serializable {
        private static final long serialVersionUID = 1L;
        private final int number;
        private final MapFunction<Integer, Integer> adding;

        Task(int number) {
            this.number = number;
            this.adding = other -> other + number;
        }

        @Override
        public boolean equals(Object other) {
            try {
                return other instanceof Task task && task.number == number && task.adding.apply(1) == number + 1;
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }

        @Override
        public int hashCode() {
            return number;
        }
    }

    /** A class with its own serialised form. */
    public static final class Packed implements Externalizable {
        private static final long serialVersionUID = 1L;
        private int number;

        public Packed() {}

        Packed(int number) {
            this.number = number;
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(~number);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            number = ~in.readInt();
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Packed packed && packed.number == number;
        }

        @Override
        public int hashCode() {
            return number;
        }
    }
}
