package example.store;

import dev.hearth.spi.storage.StoreInput;
import java.io.IOException;
import java.io.InputStream;

/** Inverts each byte that it reads. */
final class ShelfInput extends StoreInput {
    private final InputStream in;
    private long position;

    ShelfInput(InputStream in, long from) throws IOException {
        this.in = in;
        this.position = in.skip(from);
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = in.read(bytes, from, length);
        for (int at = from; at < from + read; at++) {
            bytes[at] = (byte) ~bytes[at];
        }
        position += Math.max(0, read);
        return read;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
