package dev.hearth.rpc.internal.codec;

import dev.hearth.spi.net.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Codecs of the component types that contain no other type, such as numbers and texts. */
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
    BYTE((byte) 0) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putByte((Byte) value);
        }

        @Override
        public Object read(WireInput in) {
            return (byte) in.takeByte();
        }
    },
    SHORT((short) 0) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putInt((Short) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeShort();
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
    FLOAT(0.0f) {
        @Override
        public void write(WireOutput out, Object value) {
            out.putFloat((Float) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeFloat();
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
    CHAR('\0') {
        @Override
        public void write(WireOutput out, Object value) {
            out.putCount((Character) value);
        }

        @Override
        public Object read(WireInput in) {
            return in.takeChar();
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
            return Duration.ofSeconds(seconds, takeNanos(in));
        }
    },
    INSTANT(Instant.EPOCH) {
        @Override
        public void write(WireOutput out, Object value) {
            Instant instant = (Instant) value;
            out.putLong(instant.getEpochSecond());
            out.putCount(instant.getNano());
        }

        @Override
        public Object read(WireInput in) {
            long seconds = in.takeLong();
            if (seconds < Instant.MIN.getEpochSecond() || seconds > Instant.MAX.getEpochSecond()) {
                throw WireFault.malformed(seconds + " seconds in an instant (expected: " + Instant.MIN.getEpochSecond()
                        + " to " + Instant.MAX.getEpochSecond() + ")");
            }
            return Instant.ofEpochSecond(seconds, takeNanos(in));
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
    },
    OPTIONAL_LONG(OptionalLong.empty()) {
        @Override
        public void write(WireOutput out, Object value) {
            OptionalLong number = (OptionalLong) value;
            out.putByte(number.isPresent() ? 1 : 0);
            if (number.isPresent()) {
                out.putLong(number.getAsLong());
            }
        }

        @Override
        public Object read(WireInput in) {
            return in.takeFlag() ? OptionalLong.of(in.takeLong()) : OptionalLong.empty();
        }
    };

    private static final int NANOS_PER_SECOND = 1_000_000_000;

    // the default value is one of the values listed above, all of them immutable
    @SuppressWarnings("ImmutableEnumChecker")
    private final Object defaultValue;

    ScalarCodec(Object defaultValue) {
        this.defaultValue = defaultValue;
    }

    @Override
    public Object defaultValue() {
        return defaultValue;
    }

    private static int takeNanos(WireInput in) {
        int nanos = in.takeCount();
        if (nanos < 0 || nanos >= NANOS_PER_SECOND) {
            throw WireFault.malformed(nanos + " nanoseconds within a second (expected: 0 to 999999999)");
        }
        return nanos;
    }
}
