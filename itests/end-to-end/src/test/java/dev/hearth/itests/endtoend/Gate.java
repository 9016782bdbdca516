package dev.hearth.itests.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A server at which applications under test report and wait. {@link #next} returns the next visitor; after {@link
 * #open} all pass at once.
 */
final class Gate implements AutoCloseable {
    private static final int WAIT_SECONDS_MAX = 180;

    private final ServerSocket socket;
    private final BlockingQueue<Visitor> waiting = new LinkedBlockingQueue<>();
    private final List<Visitor> all =
            new CopyOnWriteArrayList<>(); // a socket without any reference to it is closed when it is collected
    private volatile boolean open;

    Gate() throws IOException {
        this(InetAddress.getLoopbackAddress());
    }

    /** Gate at an address of this machine, for visitors elsewhere. */
    Gate(InetAddress address) throws IOException {
        socket = new ServerSocket(0, 50, address);
        Thread keeper = new Thread(this::keep, "gate");
        keeper.setDaemon(true);
        keeper.start();
    }

    /** Number of visitors that have come so far. */
    int visitors() {
        return all.size();
    }

    int port() {
        return socket.getLocalPort();
    }

    /** The next waiting visitor. */
    Visitor next() throws InterruptedException {
        Visitor visitor = waiting.poll(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
        if (visitor == null) {
            throw new AssertionError("gate: nobody came within " + WAIT_SECONDS_MAX + " s");
        }
        return visitor;
    }

    /** Lets all present and future visitors pass. */
    void open() throws IOException {
        open = true;
        for (Visitor visitor = waiting.poll(); visitor != null; visitor = waiting.poll()) {
            visitor.pass();
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Visitor visitor = waiting.poll(); visitor != null; visitor = waiting.poll()) {
            visitor.socket().close();
        }
    }

    private void keep() {
        while (!socket.isClosed()) {
            try {
                Socket visitor = socket.accept();
                String line = new BufferedReader(
                                new InputStreamReader(visitor.getInputStream(), StandardCharsets.UTF_8))
                        .readLine();
                String[] words = line == null ? new String[] {"nobody", "0"} : line.split(" ");
                Visitor arrived =
                        new Visitor(words[0], Long.parseLong(words[1]), words.length > 3 ? words[3] : "", visitor);
                all.add(arrived);
                waiting.add(arrived);
                if (open) {
                    open();
                }
            } catch (IOException failure) {
                if (!socket.isClosed() && !open) {
                    throw new UncheckedIOException(failure);
                }
            }
        }
    }

    /** A driver or a task that waits, in the process {@code pid} of this machine or in a pod; the other one is 0 or empty. */
    record Visitor(String who, long pid, String pod, Socket socket) {
        /** Lets the visitor continue; has no effect if its process has died. */
        void pass() throws IOException {
            try (socket) {
                socket.getOutputStream().write(1);
            } catch (IOException died) {
                if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                    throw died;
                }
            }
        }

        /** Kills the visitor's process as kill -9 does. */
        void kill() {
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
