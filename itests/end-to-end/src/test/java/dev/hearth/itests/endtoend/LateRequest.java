package dev.hearth.itests.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Request over a connection of its own to a process that does not run at present, and gets it when it goes on. */
final class LateRequest implements AutoCloseable {
    private static final int ANSWER_MILLIS_MAX = 60_000;

    private final Socket socket;
    private final int port;

    /** Connects to the port {@code port} of this machine. The kernel accepts that for a process that is suspended. */
    LateRequest(int port) throws IOException {
        this.port = port;
        this.socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(ANSWER_MILLIS_MAX);
    }

    /** Sends a request for {@code path} that changes something. */
    void post(String path, String key, String body) throws IOException {
        byte[] content = body.getBytes(StandardCharsets.UTF_8);
        String head = "POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port
                + "\r\nConnection: close\r\nContent-Type: application/json\r\nIdempotency-Key: " + key
                + "\r\nContent-Length: " + content.length + "\r\n\r\n";
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().write(content);
    }

    /** The answer; empty if the connection was closed without one. */
    String answer() {
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            StringBuilder text = new StringBuilder();
            in.lines().forEach(line -> text.append(line).append('\n'));
            return text.toString();
        } catch (IOException | java.io.UncheckedIOException reset) {
            return "";
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
