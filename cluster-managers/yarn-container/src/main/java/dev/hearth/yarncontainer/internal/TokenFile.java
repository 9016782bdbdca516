package dev.hearth.yarncontainer.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.Bytes;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Credentials file of a container, as NodeManagers write it: {@code HDTS}, the version 0, tokens, and secret keys by their
 * aliases. Numbers are Hadoop's of variable length: one byte from -112 to 127, else a byte that says sign and length.
 * Immutable; its text form has no secret.
 */
record TokenFile(Map<String, Bytes> secrets) {
    private static final int MAGIC = 0x48445453; // HDTS
    private static final int WRITABLE = 0;
    private static final int ONE_BYTE_LEAST = -112;
    private static final int NEGATIVE_LEAST = -120;
    private static final int ENTRIES_MAX = 10_000;
    private static final int PARTS_OF_TOKEN = 5; // alias, identifier, password, kind, service
    private static final int BITS = 8;

    TokenFile {
        secrets = Collections.unmodifiableMap(new LinkedHashMap<>(secrets));
    }

    /** Reads the content of a file; fails with {@code START_FAILED} if it is no credentials file, or truncated. */
    static TokenFile parse(String name, byte[] content) {
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(content))) {
            int magic = in.readInt();
            int version = in.readByte();
            if (magic != MAGIC || version != WRITABLE) {
                throw malformed(name, magic == MAGIC ? "version " + version : "no magic number HDTS");
            }
            int parts = count(in) * PARTS_OF_TOKEN;
            for (int part = 0; part < parts; part++) {
                bytes(in);
            }
            Map<String, Bytes> secrets = new LinkedHashMap<>();
            for (int left = count(in); left > 0; left--) {
                String alias = new String(bytes(in), UTF_8);
                secrets.put(alias, Bytes.owning(bytes(in)));
            }
            return new TokenFile(secrets);
        } catch (EOFException truncated) {
            throw malformed(name, "an end after " + content.length + " bytes");
        } catch (IOException broken) {
            throw malformed(name, broken.getMessage());
        }
    }

    private static RuntimeException malformed(String name, String found) {
        return ErrorCode.START_FAILED.failure("credentials of the container, " + name + ": " + found
                + " (expected: a whole file of version 0, as NodeManagers write it)");
    }

    private static int count(DataInputStream in) throws IOException {
        long count = number(in);
        if (count < 0 || count > ENTRIES_MAX) {
            throw new IOException(count + " entries");
        }
        return (int) count;
    }

    private static byte[] bytes(DataInputStream in) throws IOException {
        long length = number(in);
        if (length < 0) {
            throw new IOException("a length of " + length);
        }
        if (length > in.available()) {
            throw new EOFException();
        }
        return in.readNBytes((int) length);
    }

    private static long number(DataInputStream in) throws IOException {
        byte first = in.readByte();
        if (first >= ONE_BYTE_LEAST) {
            return first;
        }
        boolean negative = first < NEGATIVE_LEAST;
        int length = negative ? NEGATIVE_LEAST - first : ONE_BYTE_LEAST - first;
        long value = 0;
        for (int i = 0; i < length; i++) {
            value = value << BITS | in.readUnsignedByte();
        }
        return negative ? ~value : value;
    }

    @Override
    public String toString() {
        return "credentials with the secrets " + secrets.keySet();
    }
}
