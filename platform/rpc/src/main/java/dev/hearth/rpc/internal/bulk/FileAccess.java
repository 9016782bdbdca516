package dev.hearth.rpc.internal.bulk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads and writes whole buffers, because a single call of a file channel may transfer only a part. Stateless. */
final class FileAccess {
    private FileAccess() {}

    /** Fills {@code target} with the bytes of {@code file} from {@code position} on. Throws if the file ends before. */
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

    /** Writes all remaining bytes of {@code source} to {@code file}, at the current position of the file. */
    static void append(FileChannel file, ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            file.write(source);
        }
    }
}
