package dev.hearth.spi.storage;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Output of the bytes of a new file. Ends with {@link #close}, which makes the file durable, or with {@link #discard}.
 * Owned by one thread; an interrupt of that thread does not close the output.
 */
public abstract class StoreOutput extends OutputStream {
    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public abstract void write(byte[] bytes, int from, int length) throws IOException;

    /**
     * Makes readers see what was written so far. Stores without {@link StoreTrait#SHOWS_WRITES} do nothing, and readers
     * see the file once it is closed.
     */
    public void show() throws IOException {
        flush();
    }

    /** Makes durable what was written so far. Stores that cannot do that before {@link #close} do what they can. */
    public void force() throws IOException {
        show();
    }

    /**
     * Ends the output without making it durable, after a failure. The file may remain, whole or in part; the caller
     * removes it. Does nothing after {@link #close}.
     */
    public abstract void discard() throws IOException;

    /** Completes the file: when this method returns, the content is durable and visible. Idempotent. */
    @Override
    public abstract void close() throws IOException;
}
