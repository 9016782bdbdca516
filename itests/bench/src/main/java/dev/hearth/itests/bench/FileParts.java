package dev.hearth.itests.bench;

import dev.hearth.spi.rpc.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Parts of one file, read at their offsets. Any thread may read until it is closed by whoever opened it. */
final class FileParts implements AutoCloseable {
    private final FileChannel file;

    private FileParts(FileChannel file) {
        this.file = file;
    }

    static FileParts of(Path path) throws IOException {
        return new FileParts(FileChannel.open(path, StandardOpenOption.READ));
    }

    /** The bytes from {@code offset}: as many as asked for, fewer at the end of the file. */
    Bytes read(long offset, int bytes) {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        try {
            while (buffer.hasRemaining() && file.read(buffer, offset + buffer.position()) > 0) {
                // until the file or the part ends
            }
        } catch (IOException failure) {
            throw new UncheckedIOException("file: cannot be read at " + offset, failure);
        }
        byte[] content = new byte[buffer.flip().remaining()];
        buffer.get(content);
        return Bytes.owning(content);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
