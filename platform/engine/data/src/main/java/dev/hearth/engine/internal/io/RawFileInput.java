package dev.hearth.engine.internal.io;

import dev.hearth.spi.error.ErrorCode;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Input stream of the bytes of a file from an offset on, before decompression. Owned by one thread; an interrupt of
 * that thread does not close the file. Disk failures are thrown as {@code DISK_FAILED}. So if a decoder throws an
 * {@link IOException}, it always means corrupt content.
 */
final class RawFileInput extends InputStream {
    private final String path;
    private final FileInputStream in;
    private long position;
    private long bytesRead;

    RawFileInput(String path, long from) {
        this.path = path;
        this.in = open(path);
        if (from > 0) {
            try {
                position = in.skip(from);
            } catch (IOException failure) {
                close();
                throw failed(failure);
            }
        }
    }

    private static FileInputStream open(String path) {
        try {
            return new FileInputStream(path);
        } catch (IOException failure) {
            boolean there = Files.exists(Path.of(path));
            throw ErrorCode.PATH_MISSING.failure(
                    "file " + path + ": " + (there ? "cannot be opened, " + failure.getMessage() : "is missing")
                            + " (expected: the file that was found when the dataset was created)",
                    failure);
        }
    }

    /** The offset in the file of the next byte. */
    long position() {
        return position;
    }

    /** The number of bytes read so far. */
    long bytesRead() {
        return bytesRead;
    }

    @Override
    public int read() {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
        Objects.checkFromIndexSize(from, length, bytes.length);
        try {
            int read = in.read(bytes, from, length);
            position += Math.max(0, read);
            bytesRead += Math.max(0, read);
            return read;
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    @Override
    public int available() {
        try {
            return in.available();
        } catch (IOException failure) {
            throw failed(failure);
        }
    }

    @Override
    public void close() {
        try {
            in.close();
        } catch (IOException failure) {
            // an error all the same, although the close of a file that was only read loses no data
            throw failed(failure);
        }
    }

    private RuntimeException failed(IOException failure) {
        return ErrorCode.DISK_FAILED.failure(
                "file " + path + ": cannot be read at byte " + position + ", " + failure.getMessage()
                        + " (expected: a readable file); check its disk",
                failure);
    }
}
