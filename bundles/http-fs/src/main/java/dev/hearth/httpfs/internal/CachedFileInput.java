package dev.hearth.httpfs.internal;

import dev.hearth.spi.storage.StoreInput;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;

/** Reads a cached file. Not a channel, because an interrupt would close it. Owned by one thread. */
final class CachedFileInput extends StoreInput {
    private final FileInputStream in;
    private long position;

    CachedFileInput(Path file, long from) throws IOException {
        in = new FileInputStream(file.toFile());
        try {
            position = from > 0 ? in.skip(from) : 0;
        } catch (IOException failure) {
            in.close();
            throw failure;
        }
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = in.read(bytes, from, length);
        position += Math.max(0, read);
        return read;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
