package dev.hearth.engine.internal.filecodec;

import dev.hearth.engine.internal.compress.BlockCompressor;
import dev.hearth.engine.internal.compress.CompressionCodec;
import java.io.IOException;
import java.io.OutputStream;

/** Encodes Snappy in the block streams of Hadoop, which {@link HadoopBlockInput} describes. Owned by one thread. */
final class SnappyOutput extends OutputStream {
    /** Decoded size of a block. Compressed blocks stay below the 256 KiB that Hadoop's buffers have. */
    private static final int BLOCK_BYTES = 192 * 1024;

    private final OutputStream out;
    private final BlockCompressor snappy = CompressionCodec.SNAPPY.compressor();
    private final byte[] text = new byte[BLOCK_BYTES];
    private final byte[] file;
    private int buffered;
    private boolean closed;

    SnappyOutput(OutputStream out) {
        this.out = out;
        this.file = new byte[2 * Integer.BYTES + snappy.bound(BLOCK_BYTES)];
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        int at = from;
        int left = length;
        while (left > 0) {
            int count = Math.min(left, BLOCK_BYTES - buffered);
            System.arraycopy(bytes, at, text, buffered, count);
            buffered += count;
            at += count;
            left -= count;
            if (buffered == BLOCK_BYTES) {
                writeBlock();
            }
        }
    }

    private void writeBlock() throws IOException {
        int compressed = snappy.compress(text, 0, buffered, file, 2 * Integer.BYTES);
        writeLength(buffered, 0);
        writeLength(compressed, Integer.BYTES);
        out.write(file, 0, 2 * Integer.BYTES + compressed);
        buffered = 0;
    }

    private void writeLength(int length, int at) {
        file[at] = (byte) (length >>> 24);
        file[at + 1] = (byte) (length >>> 16);
        file[at + 2] = (byte) (length >>> 8);
        file[at + 3] = (byte) length;
    }

    @Override
    public void flush() throws IOException {
        out.flush(); // a block is written when it is full, because small blocks compress badly
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (OutputStream closing = out) {
            if (buffered > 0) {
                writeBlock();
            }
            closing.flush();
        }
    }
}
