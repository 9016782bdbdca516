package dev.hearth.rpc.internal.bulk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes whole buffers, because a single call of a file channel may transfer only a part. Stateless. */
final class FileAccess {
    private FileAccess() {}

    /** Fills {@code target} with bytes from {@code position} on. */
    static void fully(FileChannel file, long position, ByteBuffer target) throws IOException {
        long at = position;
        while (target.hasRemaining()) {
            int read = file.read(target, at);
            if (read < 0) {
                throw new EOFException(
                        "the file ends at byte " + at + " (expected: " + target.remaining() + "" + " bytes more)");
            }
            at += read;
        }
    }

    /** Writes the remaining bytes of {@code source} at the file's position. */
    static void append(FileChannel file, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            file.write(source);
        }
    }
}
