package dev.hearth.hadoop.internal;

import dev.hearth.spi.storage.StoreInput;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;

/** Input of a file of Hadoop. Owned by one thread. */
final class HadoopFileInput extends StoreInput {
    private final HadoopCall call;
    private final FSDataInputStream in;
    private long position;

    HadoopFileInput(HadoopCall call, FSDataInputStream in, long position) {
        this.call = call;
        this.in = in;
        this.position = position;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
        int read = call.get(() -> in.read(bytes, from, length));
        position += Math.max(0, read);
        return read;
    }

    @Override
    public int available() throws IOException {
        return call.get(in::available);
    }

    @Override
    public void close() throws IOException {
        call.run(in::close);
    }
}
