package dev.hearth.engine.internal.filecodec;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Decodes concatenated gzip members (RFC 1952) or one zlib stream (RFC 1950). It is stricter than the JDK: a corrupt
 * header of a later member is an error, and does not count as the end. Only zeros may follow the last member. Owned by
 * one thread.
 */
final class InflatedInput extends DecodedInput {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int FIRST = 0x1F;
    private static final int SECOND = 0x8B;
    private static final int DEFLATE = 8;
    private static final int HEADER_CHECKED = 2;
    private static final int EXTRA = 4;
    private static final int NAME = 8;
    private static final int COMMENT = 16;

    private final InputStream in;
    private final boolean gzip;
    private final Inflater inflater;
    private final CRC32 check = new CRC32();
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private boolean ended;

    private InflatedInput(InputStream in, boolean gzip) {
        this.in = in;
        this.gzip = gzip;
        this.inflater = new Inflater(gzip);
    }

    static InputStream gzip(InputStream in) throws IOException {
        InflatedInput input = new InflatedInput(in, true);
        return input.begin();
    }

    static InputStream zlib(InputStream in) throws IOException {
        InflatedInput input = new InflatedInput(in, false);
        return input.begin();
    }

    private InputStream begin() throws IOException {
        int first = next();
        if (first < 0) {
            ended = true; // an empty input is valid and has no bytes
            return this;
        }
        position--;
        if (gzip) {
            try {
                header();
            } catch (IOException damage) {
                inflater.end();
                throw damage;
            }
        } else {
            inflater.setInput(buffer, position, limit - position);
        }
        return this;
    }

    @Override
    int decode(byte[] bytes, int from, int length) throws IOException {
        while (!ended) {
            int read = inflate(bytes, from, length);
            if (read > 0) {
                if (gzip) {
                    check.update(bytes, from, read);
                }
                return read;
            }
            if (inflater.finished()) {
                position = limit - inflater.getRemaining();
                endMember();
            } else if (inflater.needsDictionary()) {
                throw new IOException("a preset dictionary is required, which is not supported");
            } else if (inflater.needsInput()) {
                if (!fill()) {
                    throw new EOFException("the file ends in the middle of compressed data");
                }
                inflater.setInput(buffer, position, limit - position);
            }
        }
        return -1;
    }

    private int inflate(byte[] bytes, int from, int length) throws IOException {
        try {
            return inflater.inflate(bytes, from, length);
        } catch (DataFormatException damage) {
            throw new IOException(String.valueOf(damage.getMessage()), damage);
        }
    }

    private void endMember() throws IOException {
        if (!gzip) {
            if (next() >= 0) {
                throw new IOException("more bytes follow the end of the compressed data");
            }
            ended = true;
            return;
        }
        long stated = littleEndian(4);
        long size = littleEndian(4);
        if (stated != check.getValue()) {
            throw new IOException(
                    "checksum " + Long.toHexString(check.getValue()) + " (written: " + Long.toHexString(stated) + ")");
        }
        if (size != (inflater.getBytesWritten() & 0xFFFFFFFFL)) {
            throw new IOException("length " + inflater.getBytesWritten() + " (written: " + size + ")");
        }
        int first = next();
        if (first <= 0) {
            passZeros(first);
            ended = true;
            return;
        }
        position--;
        header();
    }

    private void passZeros(int first) throws IOException {
        int found = first;
        while (found == 0) {
            found = next();
        }
        if (found > 0) {
            throw new IOException("bytes other than zeros follow the end of the compressed data");
        }
    }

    private void header() throws IOException {
        CRC32 headerCheck = new CRC32();
        int[] fixed = new int[10];
        for (int i = 0; i < fixed.length; i++) {
            fixed[i] = expect(headerCheck);
        }
        if (fixed[0] != FIRST || fixed[1] != SECOND || fixed[2] != DEFLATE) {
            throw new IOException("no gzip header");
        }
        int flags = fixed[3];
        if ((flags & EXTRA) != 0) {
            int length = expect(headerCheck) | expect(headerCheck) << 8;
            for (int i = 0; i < length; i++) {
                expect(headerCheck);
            }
        }
        if ((flags & NAME) != 0) {
            passText(headerCheck);
        }
        if ((flags & COMMENT) != 0) {
            passText(headerCheck);
        }
        if ((flags & HEADER_CHECKED) != 0 && littleEndian(2) != (headerCheck.getValue() & 0xFFFF)) {
            throw new IOException("the checksum of the gzip header does not match");
        }
        check.reset();
        inflater.reset();
        inflater.setInput(buffer, position, limit - position);
    }

    private void passText(CRC32 headerCheck) throws IOException {
        int found = expect(headerCheck);
        while (found != 0) {
            found = expect(headerCheck);
        }
    }

    private int expect(CRC32 headerCheck) throws IOException {
        int found = expect();
        headerCheck.update(found);
        return found;
    }

    private int expect() throws IOException {
        int found = next();
        if (found < 0) {
            throw new EOFException("the file ends in the middle of a header or trailer");
        }
        return found;
    }

    private long littleEndian(int bytes) throws IOException {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (long) expect() << (8 * i);
        }
        return value;
    }

    private int next() throws IOException {
        return position == limit && !fill() ? -1 : buffer[position++] & 0xFF;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }

    @Override
    public void close() throws IOException {
        ended = true;
        inflater.end();
        in.close();
    }
}
