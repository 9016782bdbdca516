package dev.hearth.engine.internal.filecodec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Incremental 32-bit xxHash with seed 0, the checksum of the LZ4 frame format. Owned by one thread. */
final class XxHash32 {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int PRIME_1 = 0x9E3779B1;
    private static final int PRIME_2 = 0x85EBCA77;
    private static final int PRIME_3 = 0xC2B2AE3D;
    private static final int PRIME_4 = 0x27D4EB2F;
    private static final int PRIME_5 = 0x165667B1;
    private static final int FIRST_BEGIN = 0x24234428; // the sum of PRIME_1 and PRIME_2, modulo 2^32
    private static final int STRIPE_BYTES = 16;

    private final byte[] open = new byte[STRIPE_BYTES]; // bytes that do not yet fill a stripe of 16 bytes
    private int openBytes;
    private long length;
    private int first;
    private int second;
    private int third;
    private int fourth;

    XxHash32() {
        reset();
    }

    static int of(byte[] bytes, int from, int length) {
        return new XxHash32().update(bytes, from, length).value();
    }

    void reset() {
        first = FIRST_BEGIN;
        second = PRIME_2;
        third = 0;
        fourth = -PRIME_1;
        openBytes = 0;
        length = 0;
    }

    XxHash32 update(byte[] bytes, int from, int count) {
        length += count;
        int at = from;
        int until = from + count;
        if (openBytes > 0) {
            int taken = Math.min(STRIPE_BYTES - openBytes, count);
            System.arraycopy(bytes, at, open, openBytes, taken);
            openBytes += taken;
            at += taken;
            if (openBytes < STRIPE_BYTES) {
                return this;
            }
            stripes(open, 0, STRIPE_BYTES);
        }
        at = stripes(bytes, at, until);
        openBytes = until - at;
        System.arraycopy(bytes, at, open, 0, openBytes);
        return this;
    }

    private int stripes(byte[] bytes, int from, int until) {
        int one = first;
        int two = second;
        int three = third;
        int four = fourth;
        int at = from;
        for (; at <= until - STRIPE_BYTES; at += STRIPE_BYTES) {
            one = round(one, (int) INTS.get(bytes, at));
            two = round(two, (int) INTS.get(bytes, at + 4));
            three = round(three, (int) INTS.get(bytes, at + 8));
            four = round(four, (int) INTS.get(bytes, at + 12));
        }
        first = one;
        second = two;
        third = three;
        fourth = four;
        return at;
    }

    private static int round(int lane, int word) {
        return Integer.rotateLeft(lane + word * PRIME_2, 13) * PRIME_1;
    }

    int value() {
        int hash = length < STRIPE_BYTES
                ? PRIME_5
                : Integer.rotateLeft(first, 1)
                        + Integer.rotateLeft(second, 7)
                        + Integer.rotateLeft(third, 12)
                        + Integer.rotateLeft(fourth, 18);
        hash += (int) length;
        int at = 0;
        for (; at <= openBytes - Integer.BYTES; at += Integer.BYTES) {
            hash = Integer.rotateLeft(hash + (int) INTS.get(open, at) * PRIME_3, 17) * PRIME_4;
        }
        for (; at < openBytes; at++) {
            hash = Integer.rotateLeft(hash + (open[at] & 0xFF) * PRIME_5, 11) * PRIME_1;
        }
        hash = (hash ^ (hash >>> 15)) * PRIME_2;
        hash = (hash ^ (hash >>> 13)) * PRIME_3;
        return hash ^ (hash >>> 16);
    }
}
