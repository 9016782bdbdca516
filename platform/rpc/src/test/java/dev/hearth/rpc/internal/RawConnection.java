package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A plain connection that says whatever a test wants, with bounded reads. */
final class RawConnection implements AutoCloseable {
    static final byte[] PREAMBLE = {'H', 'R', 'T', 'H', 1, 1, 0, 0};

    private final Socket socket;

    RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout((int) Envs.BOUND.toMillis());
    }

    static RawConnection to(RpcAddress address) throws IOException {
        return new RawConnection(new Socket(address.host(), address.port()));
    }

    RawConnection write(byte... bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        return this;
    }

    RawConnection write(String ascii) throws IOException {
        return write(ascii.getBytes(StandardCharsets.US_ASCII));
    }

    /** Says the preamble and takes the other side's. */
    RawConnection greet() throws IOException {
        write(PREAMBLE);
        read(PREAMBLE.length);
        return this;
    }

    byte[] read(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new DataInputStream(socket.getInputStream()).readFully(content);
        return content;
    }

    /** One frame, without its length. */
    byte[] readFrame() throws IOException {
        return read(new DataInputStream(socket.getInputStream()).readInt());
    }

    /** What the other side says until it closes the connection. */
    byte[] readToEnd() throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0]; // closed with something of ours unread: also an end
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
