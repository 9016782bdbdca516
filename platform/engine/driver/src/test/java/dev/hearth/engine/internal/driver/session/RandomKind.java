package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.StorageLevel;
import java.io.Serializable;
import java.util.Comparator;
import java.util.List;

/** The types of random elements and keys. Each maps a number from -12 to 12 to one value. */
public enum RandomKind {
    INTEGERS {
        @Override
        Object of(int place) {
            return place == EDGE ? Integer.MAX_VALUE : place == -EDGE ? Integer.MIN_VALUE : place;
        }
    },
    LONGS {
        @Override
        Object of(int place) {
            return place == EDGE ? Long.MAX_VALUE : place == -EDGE ? Long.MIN_VALUE : (long) place << 31;
        }
    },
    DOUBLES {
        @Override
        Object of(int place) {
            return place == EDGE ? Double.NaN : place == -EDGE ? -0.0 : place / 4.0;
        }
    },
    STRINGS {
        @Override
        Object of(int place) {
            return place == 0 ? "" : "\u00e9\ud83d\ude00".repeat(Math.floorMod(place, 3)) + place;
        }
    },
    RECORDS {
        @Override
        Object of(int place) {
            return new Spot(Math.floorMod(place, 3), place % 4 == 0 ? null : "s" + place);
        }
    },
    CONSTANTS {
        @Override
        Object of(int place) {
            return LEVELS.get(Math.floorMod(place, LEVELS.size()));
        }
    },
    LISTS {
        @Override
        Object of(int place) {
            return List.of(place, "l" + place % 2);
        }
    },
    MIXED {
        @Override
        Object of(int place) {
            return OTHERS.get(Math.floorMod(place, OTHERS.size())).of(place);
        }
    };

    private static final int EDGE = 12;
    private static final List<StorageLevel> LEVELS = List.of(StorageLevel.values());
    private static final List<RandomKind> OTHERS =
            List.of(INTEGERS, LONGS, DOUBLES, STRINGS, RECORDS, CONSTANTS, LISTS);

    /** A class of the application. */
    public record Spot(int place, String name) implements Comparable<Spot>, Serializable {
        private static final Comparator<Spot> ORDER = Comparator.comparingInt(Spot::place)
                .thenComparing(Spot::name, Comparator.nullsFirst(Comparator.naturalOrder()));

        @Override
        public int compareTo(Spot other) {
            return ORDER.compare(this, other);
        }
    }

    /** Orders by class, then by the order of the class; null first. */
    private record Order() implements Comparator<Object>, Serializable {
        private static final List<Class<?>> CLASSES = List.of(
                Integer.class, Long.class, Double.class, String.class, Spot.class, StorageLevel.class, List.class);

        @Override
        @SuppressWarnings("unchecked") // both are of one class
        public int compare(Object left, Object right) {
            if (left == null || right == null) {
                return left == right ? 0 : left == null ? -1 : 1;
            }
            int kind = kind(left);
            if (kind != kind(right)) {
                return Integer.compare(kind, kind(right));
            }
            return left instanceof List
                    ? left.toString().compareTo(right.toString())
                    : ((Comparable<Object>) left).compareTo(right);
        }

        private static int kind(Object any) {
            for (int kind = 0; kind < CLASSES.size(); kind++) {
                if (CLASSES.get(kind).isInstance(any)) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(any + ": " + any.getClass() + " (expected: one of " + CLASSES + ")");
        }
    }

    abstract Object of(int place);

    /** Whether the values are comparable. */
    boolean isComparable() {
        return this != LISTS && this != MIXED;
    }

    /** A serialisable order of all random values. */
    static Comparator<Object> order() {
        return new Order();
    }
}
