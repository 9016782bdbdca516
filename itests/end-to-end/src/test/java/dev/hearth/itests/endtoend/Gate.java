package dev.hearth.itests.endtoend;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Where applications under test report and wait. Visitors come in by {@link #next}; after {@link #open} all pass at once. */
final class Gate implements AutoCloseable {
    private static final int WAIT_SECONDS_MAX = 60;

    private final ServerSocket socket;
    private final BlockingQueue<Visitor> waiting = new LinkedBlockingQueue<>();
    private volatile boolean open;

    Gate() throws IOException {
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread keeper = new Thread(this::keep, "gate");
        keeper.setDaemon(true);
        keeper.start();
    }

    int port() {
        return socket.getLocalPort();
    }

    /** The next one who waits. */
    Visitor next() throws InterruptedException {
        Visitor visitor = waiting.poll(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
        if (visitor == null) {
            throw new AssertionError("gate: nobody came within " + WAIT_SECONDS_MAX + " s");
        }
        return visitor;
    }

    /** Lets everybody pass, now and from now on. */
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
                Visitor arrived = new Visitor(words[0], Long.parseLong(words[1]), visitor);
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

    /** A driver or a task, in the process {@code pid}. */
    record Visitor(String who, long pid, Socket socket) {
        /** Lets it go on; one that died meanwhile does not mind. */
        void pass() throws IOException {
            try (socket) {
                socket.getOutputStream().write(1);
            } catch (IOException died) {
                if (ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)) {
                    throw died;
                }
            }
        }

        /** Ends its process as kill -9 does. */
        void kill() {
            ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
            process.destroyForcibly();
            process.onExit().join();
        }
    }
}
