package dev.hearth.itests.bench;

/**
 * The data of the shared benchmark: what stands at an index follows from it and a seed alone, whatever the number of partitions,
 * so that every engine works on the same records and finds the same checksums. Pure functions.
 */
final class GeneratedData {
    private static final long SEED = 0x5EEDBA5EL;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final long STREAM = 0xD1342543DE82EF95L;
    private static final long LEFT = 1_000_003L;
    private static final long RIGHT = 2_750_159L;
    private static final int PAYLOAD_STREAM = 77;

    private GeneratedData() {}

    /** Spreads the bits of a number over all of it. */
    static long mix(long number) {
        long mixed = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    static long random(long stream, long index) {
        return mix(SEED + stream * STREAM + (index + 1) * GOLDEN);
    }

    /** From 0 up to {@code bound}. */
    static int uniform(long stream, long index, int bound) {
        return (int) (((random(stream, index) >>> 32) * bound) >>> 32);
    }

    /** A permutation of the numbers below {@code count}, and another one. */
    static int left(long index, long count) {
        return (int) (index * LEFT % count);
    }

    static int right(long index, long count) {
        return (int) (index * RIGHT % count);
    }

    /** Half random bytes, half the same letters over and over. */
    static byte[] payload(long index, int length) {
        byte[] payload = new byte[length];
        int half = length / 2;
        long bits = 0;
        for (int i = 0; i < half; i++) {
            if ((i & 7) == 0) {
                bits = random(PAYLOAD_STREAM, index * 16 + (i >>> 3));
            }
            payload[i] = (byte) bits;
            bits >>>= 8;
        }
        for (int i = half; i < length; i++) {
            payload[i] = (byte) ('a' + (i & 15));
        }
        return payload;
    }

    static long checksum(long key, byte[] payload) {
        int length = payload.length;
        return mix(key + 31L * payload[0] + 961L * payload[length / 2 - 1] + length);
    }

    static double fraction(long stream, long index) {
        return (random(stream, index) >>> 11) * 0x1.0p-53;
    }

    /** Keys that come up evenly, or the more often the smaller they are. */
    static final class Keys {
        private static final int BITS = 14;

        private final int bound;
        private final long stream;
        private final double[] steps; // none for even ones

        Keys(String distribution, int bound, long stream) {
            this.bound = bound;
            this.stream = stream;
            boolean zipf = distribution.equals("zipf");
            this.steps = new double[zipf ? (1 << BITS) + 1 : 0];
            double logarithm = StrictMath.log(bound + 1.0);
            for (int i = 0; i < steps.length; i++) {
                steps[i] = StrictMath.exp(logarithm * i / (1 << BITS));
            }
        }

        int at(long index) {
            if (steps.length == 0) {
                return uniform(stream, index, bound);
            }
            long bits = random(stream, index);
            int step = (int) (bits >>> (Long.SIZE - BITS));
            double rest = ((bits >>> 10) & ((1L << 40) - 1)) * 0x1.0p-40;
            int key = (int) (steps[step] + (steps[step + 1] - steps[step]) * rest) - 1;
            return key < 0 ? 0 : Math.min(key, bound - 1);
        }
    }
}
