package dev.hearth.engine.internal.filecodec;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Decoder of one LZ4 block, which may refer to bytes of earlier blocks. Accesses no memory outside its arrays, even if
 * the block is corrupt. Stateless.
 */
final class Lz4BlockDecoder {
    /**
     * Number of unused bytes that both arrays of {@link #decode}, input and output, need at their ends. Copies move
     * eight bytes at a time.
     */
    static final int SLACK_BYTES = 16;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int LENGTH_MAX = 15;
    private static final int MATCH_LEAST = 4;

    private Lz4BlockDecoder() {}

    /**
     * Decodes the bytes of {@code in} before {@code inEnd}. Writes to {@code out} from index {@code from} to before
     * {@code outEnd}. Matches may refer to decoded bytes from index {@code low} on. Returns the index after the last
     * byte written.
     */
    static int decode(byte[] in, int inEnd, byte[] out, int low, int from, int outEnd) throws IOException {
        int source = 0;
        int target = from;
        while (source < inEnd) {
            int token = in[source++];
            int literals = (token >>> 4) & LENGTH_MAX;
            if (literals == LENGTH_MAX) {
                int next = LENGTH_MAX;
                for (int more = 0xFF; more == 0xFF; next += more) {
                    more = in[expect(source++, inEnd)] & 0xFF;
                    if (next > outEnd) {
                        throw new IOException("a run of literals is longer than its block");
                    }
                }
                literals = next;
            }
            if (literals > inEnd - source || literals > outEnd - target) {
                throw new IOException("a run of literals is longer than its block");
            }
            copy(in, source, out, target, literals);
            source += literals;
            target += literals;
            if (source == inEnd) {
                return target;
            }
            expect(source + 1, inEnd);
            int distance = (in[source] & 0xFF) | (in[source + 1] & 0xFF) << 8;
            source += 2;
            if (distance == 0 || distance > target - low) {
                throw new IOException("a match begins before the data");
            }
            int match = (token & LENGTH_MAX) + MATCH_LEAST;
            if ((token & LENGTH_MAX) == LENGTH_MAX) {
                for (int more = 0xFF; more == 0xFF; match += more) {
                    more = in[expect(source++, inEnd)] & 0xFF;
                    if (match > outEnd) {
                        throw new IOException("a match is longer than its block");
                    }
                }
            }
            if (match > outEnd - target) {
                throw new IOException("a match is longer than its block");
            }
            repeat(out, target, distance, match);
            target += match;
        }
        throw new IOException("a block ends in the middle");
    }

    private static int expect(int at, int end) throws IOException {
        if (at >= end) {
            throw new IOException("a block ends in the middle");
        }
        return at;
    }

    private static void copy(byte[] in, int source, byte[] out, int target, int length) {
        if (length > 64) {
            System.arraycopy(in, source, out, target, length);
            return;
        }
        for (int at = 0; at < length; at += Long.BYTES) {
            LONGS.set(out, target + at, (long) LONGS.get(in, source + at));
        }
    }

    /**
     * Copies {@code length} bytes to index {@code target}, from {@code distance} bytes before it. If the ranges
     * overlap, the bytes in between are repeated.
     */
    private static void repeat(byte[] out, int target, int distance, int length) {
        int source = target - distance;
        if (distance >= Long.BYTES) {
            for (int at = 0; at < length; at += Long.BYTES) {
                LONGS.set(out, target + at, (long) LONGS.get(out, source + at));
            }
            return;
        }
        for (int at = 0; at < length; at++) {
            out[target + at] = out[source + at];
        }
    }
}
