package dev.hearth.kubernetes.internal.client;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** Server's end of a WebSocket. Reads whole messages, and writes frames of any size. Used by one thread. */
final class StubWebSocket {
    private static final int BINARY = 2;
    private static final int CLOSE = 8;

    private final DataInputStream in;
    private final OutputStream out;

    StubWebSocket(InputStream in, OutputStream out) {
        this.in = new DataInputStream(in);
        this.out = out;
    }

    /** The next message; fails with {@link EOFException} when the client closes. */
    byte[] read() throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        while (true) {
            int first = in.readUnsignedByte();
            int second = in.readUnsignedByte();
            long length = second & 0x7f;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            byte[] mask = in.readNBytes(4); // clients mask all frames
            byte[] content = in.readNBytes((int) length);
            for (int i = 0; i < content.length; i++) {
                content[i] ^= mask[i % 4];
            }
            if ((first & 0x0f) == CLOSE) {
                throw new EOFException("closed");
            }
            message.writeBytes(content);
            if ((first & 0x80) != 0) {
                return message.toByteArray();
            }
        }
    }

    /** Writes one message on {@code channel}, in frames of at most {@code frameBytes} bytes. */
    void write(int channel, byte[] content, int frameBytes) throws IOException {
        byte[] whole = new byte[content.length + 1];
        whole[0] = (byte) channel;
        System.arraycopy(content, 0, whole, 1, content.length);
        for (int from = 0; from < whole.length; from += frameBytes) {
            int count = Math.min(frameBytes, whole.length - from);
            boolean last = from + count == whole.length;
            out.write((last ? 0x80 : 0) | (from == 0 ? BINARY : 0));
            if (count < 126) {
                out.write(count);
            } else {
                out.write(126);
                out.write(count >> 8);
                out.write(count);
            }
            out.write(whole, from, count);
        }
        out.flush();
    }

    void close(int code) throws IOException {
        out.write(new byte[] {(byte) (0x80 | CLOSE), 2, (byte) (code >> 8), (byte) code});
        out.flush();
    }
}
