package dev.hearth.rpc.internal.bulk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes complete buffers. Stateless. */
final class FileAccess {
    private FileAccess() {}

    /** Fills {@code target} with bytes from {@code position} on. */
    static void fully(FileChannel file, long position, ByteBuffer target) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int read = file.read(target, at);
            if (read < 0) {
                throw new EOFException("it ends at byte " + at + " (expected: " + target.remaining() + " bytes more)");
            }
            at += read;
        }
    }

    /** Writes the rest of {@code source} at the file's position. */
    static void append(FileChannel file, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            file.write(source);
        }
    }
}
