package dev.hearth.launcher;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;

/** The connection of a process. One thread reads; any thread may send and close. */
final class LaunchConnection implements Closeable {
    /** Longest line that is read; a longer one closes the connection. */
    static final int LINE_MAX = 65_536;

    private static final System.Logger LOG = System.getLogger(LaunchConnection.class.getName());

    private final Socket socket;
    private final BufferedReader in;

    LaunchConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** The first message, which must come within {@code millis}. */
    LaunchMessage first(int millis) throws IOException {
        socket.setSoTimeout(millis);
        LaunchMessage first =
                next().orElseThrow(() -> new IOException("launched process: closed its connection without a message"));
        socket.setSoTimeout(0);
        return first;
    }

    /** Passes each further message to {@code handler}, until the connection ends. */
    void readAll(Consumer<LaunchMessage> handler) throws IOException {
        for (Optional<LaunchMessage> next = next(); next.isPresent(); next = next()) {
            handler.accept(next.get());
        }
    }

    private Optional<LaunchMessage> next() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int read = in.read(); read != '\n'; read = in.read()) {
            if (read < 0) {
                return Optional.empty();
            }
            if (line.length() == LINE_MAX) {
                throw new IOException(
                        "message of a launched process: over " + LINE_MAX + " characters (expected: fewer)");
            }
            line.append((char) read);
        }
        return Optional.of(LaunchMessage.parse(line.toString()));
    }

    void send(String word) throws IOException {
        socket.getOutputStream().write((word + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "connection of a launched process: already closed", e);
        }
    }
}
