package dev.hearth.engine.internal.filecodec;

import io.airlift.compress.lz4.Lz4Compressor;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;

/**
 * Encodes one LZ4 frame of independent blocks, followed by a checksum of the uncompressed content. Owned by one thread.
 */
final class Lz4Output extends OutputStream {
    private static final int BLOCK_CODE = 6; // 1 MiB

    private final OutputStream out;
    private final Lz4Compressor compressor = new Lz4Compressor();
    private final XxHash32 content = new XxHash32();
    private final byte[] text = new byte[Lz4Frame.blockBytes(BLOCK_CODE)];
    private final byte[] block = new byte[compressor.maxCompressedLength(text.length)];
    private final byte[] small = new byte[8];
    private int length;
    private boolean closed;

    Lz4Output(OutputStream out) throws IOException {
        this.out = out;
        writeInt(Lz4Frame.MAGIC);
        small[0] = Lz4Frame.VERSION | Lz4Frame.INDEPENDENT | Lz4Frame.CONTENT_CHECKED;
        small[1] = BLOCK_CODE << 4;
        small[2] = Lz4Frame.check(small, 0, 2);
        out.write(small, 0, 3);
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        Objects.checkFromIndexSize(from, count, bytes.length);
        int at = from;
        int left = count;
        while (left > 0) {
            int taken = Math.min(left, text.length - length);
            System.arraycopy(bytes, at, text, length, taken);
            length += taken;
            at += taken;
            left -= taken;
            if (length == text.length) {
                writeBlock();
            }
        }
    }

    private void writeBlock() throws IOException {
        content.update(text, 0, length);
        int compressed = compressor.compress(text, 0, length, block, 0, block.length);
        boolean smaller = compressed < length;
        writeInt(smaller ? compressed : length | Lz4Frame.STORED);
        out.write(smaller ? block : text, 0, smaller ? compressed : length);
        length = 0;
    }

    private void writeInt(int value) throws IOException {
        for (int i = 0; i < Integer.BYTES; i++) {
            small[i] = (byte) (value >>> (8 * i));
        }
        out.write(small, 0, Integer.BYTES);
    }

    @Override
    public void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        try (out) {
            if (length > 0) {
                writeBlock();
            }
            writeInt(0);
            writeInt(content.value());
        }
    }
}
