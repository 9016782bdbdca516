package example.store;

import dev.hearth.spi.storage.StoreOutput;
import java.io.IOException;
import java.io.OutputStream;

/** Inverts each byte that it writes. */
final class ShelfOutput extends StoreOutput {
    private final OutputStream out;

    ShelfOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        byte[] inverted = new byte[length];
        for (int at = 0; at < length; at++) {
            inverted[at] = (byte) ~bytes[from + at];
        }
        out.write(inverted);
    }

    @Override
    public void discard() throws IOException {
        out.close();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
