package dev.hearth.rpc.internal;

import dev.hearth.spi.net.RpcAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A plain connection that sends any bytes, with bounded reads. */
final class RawConnection implements AutoCloseable {
    private static final byte[] PREAMBLE = {'H', 'R', 'T', 'H', 1, 1, 0, 0};
    private static final byte[] HELLO = {0, 9, 1, 7, 'p', 'r', 'o', 'c', 'e', 's', 's'};
    private static final byte[] WELCOME = {0, 1, 2};
    static final byte[] FIRST = join(PREAMBLE, HELLO);
    static final int ANSWER_BYTES = PREAMBLE.length + WELCOME.length;

    private final Socket socket;

    RawConnection(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout((int) TestEnvs.BOUND.toMillis());
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

    /** Sends a hello and reads the answer of the other side. */
    RawConnection greet() throws IOException {
        write(FIRST);
        read(ANSWER_BYTES);
        return this;
    }

    /** Reads the hello of the other side and welcomes it. */
    RawConnection welcome() throws IOException {
        read(FIRST.length);
        return write(join(PREAMBLE, WELCOME));
    }

    static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    byte[] read(int bytes) throws IOException {
        byte[] content = new byte[bytes];
        new DataInputStream(socket.getInputStream()).readFully(content);
        return content;
    }

    /** Reads one frame, without its length prefix. */
    byte[] readFrame() throws IOException {
        return read(new DataInputStream(socket.getInputStream()).readInt());
    }

    /** Reads until the other side closes the connection. */
    byte[] readToEnd() throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (SocketException reset) {
            return new byte[0]; // reset with unread bytes: also an end
        }
    }

    /** Ends the output and reads the rest, so that the other side receives all that was written. */
    byte[] finish() throws IOException {
        socket.shutdownOutput();
        return readToEnd();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
