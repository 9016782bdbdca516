package dev.hearth.engine.internal.io;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.StoreInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.Objects;

/**
 * Input stream of the bytes of a file from an offset on, before decompression. Owned by one thread; an interrupt of
 * that thread does not close the file. Failures of the store are thrown as {@code DISK_FAILED}. So if a decoder throws
 * an {@link IOException}, it always means corrupt content.
 */
final class RawFileInput extends InputStream {
    private final FileName file;
    private final StoreInput in;
    private long bytesRead;

    RawFileInput(FileName file, long from, InputAccess access) {
        this.file = file;
        try {
            this.in = access.stores().of(file).read(file, from);
        } catch (IOException failure) {
            boolean missing = failure instanceof NoSuchFileException;
            throw ErrorCode.PATH_MISSING.failure(
                    "file " + file + ": " + (missing ? "is missing" : "cannot be opened, " + failure.getMessage())
                            + " (expected: the file that was found when the dataset was created)",
                    failure);
        }
    }

    /** The offset in the file of the next byte. */
    long position() {
        return in.position();
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
                "file " + file + ": cannot be read at byte " + in.position() + ", " + failure.getMessage()
                        + " (expected: a readable file); check its disk or its storage",
                failure);
    }
}
