package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.rpc.Bytes;
import java.time.Duration;
import java.util.OptionalInt;

/** The kinds of component that hold no other. */
enum ScalarCodec implements ValueCodec {
    BOOLEAN(false) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putByte((Boolean) value ? 1 : 0);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeFlag();
        }
    },
    INT(0) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putInt((Integer) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeInt();
        }
    },
    LONG(0L) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putLong((Long) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeLong();
        }
    },
    DOUBLE(0.0) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putDouble((Double) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeDouble();
        }
    },
    STRING("") {
        @Override
        public void write(WireOutput out, Object value) {
            out.putText((String) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeText();
        }
    },
    BYTES(Bytes.EMPTY) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putBytes((Bytes) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeBytes();
        }
    },
    DURATION(Duration.ZERO) {
        @Override
        public void write(WireOutput out, Object value) {
            Duration duration = (Duration) value;
            out.putLong(duration.getSeconds());
            out.putCount(duration.getNano());
        }

        @Override
        public Object read(WireInput in) {
            long seconds = in.takeLong();
            int nanos = in.takeCount();
            if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
                throw WireFault.malformed(nanos + " nanoseconds in a duration (expected: 0 to 999999999)");
            }
            return Duration.ofSeconds(seconds, nanos);
        }
    },
    OPTIONAL_INT(OptionalInt.empty()) {
        @Override
        public void write(WireOutput out, Object value) {
            OptionalInt number = (OptionalInt) value;
            out.putByte(number.isPresent() ? 1 : 0);
            if (number.isPresent()) {
                out.putInt(number.getAsInt());
            }
        }

        @Override
        public Object read(WireInput in) {
            return in.takeFlag() ? OptionalInt.of(in.takeInt()) : OptionalInt.empty();
        }
    };

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    @SuppressWarnings("ImmutableEnumChecker") // one of the values above, none of which can change
    private final Object missing;

    ScalarCodec(Object missing) {
        this.missing = missing;
    }

    @Override
    public Object missing() {
        return missing;
    }
}
