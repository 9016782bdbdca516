package dev.hearth.rpc.internal.security;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Writes the ASN.1 types that certificates use, in the distinguished encoding rules (DER). Stateless. */
final class DerEncoder {
    private static final int BOOLEAN = 0x01;
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OBJECT_IDENTIFIER = 0x06;
    private static final int UTF8_STRING = 0x0C;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int EXPLICIT = 0xA0;

    private static final int TRUE = 0xFF;
    private static final int SHORT_LENGTH_MAX = 0x7F;
    private static final int LENGTH_OF_LENGTH = 0x80;
    /** First year that certificates write with four digits; earlier years have two digits. */
    private static final int YEAR_LONG = 2050;

    private static final DateTimeFormatter SHORT_TIME =
            DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter LONG_TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

    private DerEncoder() {}

    static byte[] sequence(byte[]... parts) {
        return element(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return element(SET, parts);
    }

    /** Encodes {@code part} inside an element with the explicit context tag {@code number}. */
    static byte[] explicit(int number, byte[] part) {
        return element(EXPLICIT | number, part);
    }

    static byte[] yes() {
        return element(BOOLEAN, new byte[] {(byte) TRUE});
    }

    static byte[] integer(BigInteger value) {
        return element(INTEGER, value.toByteArray());
    }

    static byte[] text(String value) {
        return element(UTF8_STRING, value.getBytes(StandardCharsets.UTF_8));
    }

    static byte[] octets(byte[] content) {
        return element(OCTET_STRING, content);
    }

    /** Encodes whole bytes as a bit string. */
    static byte[] bits(byte[] content) {
        return element(BIT_STRING, new byte[] {0}, content);
    }

    static byte[] time(Instant moment) {
        boolean isShort = moment.atOffset(ZoneOffset.UTC).getYear() < YEAR_LONG;
        String text = (isShort ? SHORT_TIME : LONG_TIME).format(moment);
        return element(isShort ? UTC_TIME : GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Encodes an object identifier of two or more numbers. */
    static byte[] identifier(int first, int second, int... rest) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(first * 40 + second);
        for (int number : rest) {
            int shift = 28;
            while (shift > 0 && number >>> shift == 0) {
                shift -= 7;
            }
            for (; shift > 0; shift -= 7) {
                out.write(((number >>> shift) & 0x7F) | 0x80);
            }
            out.write(number & 0x7F);
        }
        return element(OBJECT_IDENTIFIER, out.toByteArray());
    }

    private static byte[] element(int tag, byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(length + 6);
        out.write(tag);
        if (length <= SHORT_LENGTH_MAX) {
            out.write(length);
        } else {
            byte[] size = unsigned(length);
            out.write(LENGTH_OF_LENGTH | size.length);
            out.writeBytes(size);
        }
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }

    private static byte[] unsigned(int value) {
        int bytes = (Integer.SIZE - Integer.numberOfLeadingZeros(value) + 7) / 8;
        byte[] out = new byte[bytes];
        for (int i = 0; i < bytes; i++) {
            out[i] = (byte) (value >>> (8 * (bytes - 1 - i)));
        }
        return out;
    }
}
