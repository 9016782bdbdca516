package dev.hearth.launcher;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Waits on a port of the loopback interface for the one process that knows the secret. Other connections are closed, and at
 * most {@value #PENDING_MAX} of them are open at a time. Thread-safe.
 */
final class LaunchServer implements AutoCloseable {
    static final int PENDING_MAX = 16;
    private static final int SECRET_BYTES = 32;
    /** Time in which a connection must send its first line. */
    private static final int HELLO_MILLIS = 5_000;

    private static final String VERSION = "1";
    /** First word of the connection by which this program learns that all earlier ones were accepted. */
    private static final String LAST = "last";

    private static final System.Logger LOG = System.getLogger(LaunchServer.class.getName());

    private final ServerSocket socket;
    private final String secret;
    private final Semaphore pending = new Semaphore(PENDING_MAX);
    private final Set<LaunchConnection> waiting = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Receives the connection of the process, and then what it says. Called on the thread of the connection. */
    interface Handler {
        void connected(LaunchConnection connection);

        void received(LaunchMessage message);

        /** Called once after {@link #connected}, when no further message can come. */
        void closed();
    }

    private LaunchServer(ServerSocket socket, String secret) {
        this.socket = socket;
        this.secret = secret;
    }

    /** Opens a port that the operating system chooses. */
    static LaunchServer open() throws IOException {
        byte[] random = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(random);
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return new LaunchServer(socket, HexFormat.of().formatHex(random));
    }

    int port() {
        return socket.getLocalPort();
    }

    String secret() {
        return secret;
    }

    /** Starts to accept connections, on a new thread. */
    void accept(Handler handler) {
        thread("hearth-launcher-" + port(), () -> acceptAll(handler));
    }

    /** Accepts no further connections and closes those that have not proved themselves. */
    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "launcher port: already closed", e);
        }
        waiting.forEach(LaunchConnection::close);
    }

    private void acceptAll(Handler handler) {
        while (!socket.isClosed()) {
            try {
                LaunchConnection connection = new LaunchConnection(socket.accept());
                if (pending.tryAcquire()) {
                    waiting.add(connection);
                    thread("hearth-launch-" + port(), () -> serve(connection, handler));
                } else {
                    connection.close();
                }
            } catch (IOException ended) {
                LOG.log(System.Logger.Level.DEBUG, "launcher port: a connection was not accepted", ended);
            }
        }
    }

    private void serve(LaunchConnection connection, Handler handler) {
        boolean ours = false;
        try (connection) {
            try {
                LaunchMessage first = connection.first(HELLO_MILLIS);
                if (isLast(first)) {
                    pending.acquire(PENDING_MAX - 1); // until the earlier connections have proved themselves or not
                    pending.release(PENDING_MAX - 1);
                    return;
                }
                ours = isHello(first) && taken.compareAndSet(false, true);
                if (ours) {
                    waiting.remove(connection); // first, as close() ends those in it
                    handler.connected(connection);
                }
            } finally {
                waiting.remove(connection);
                pending.release();
            }
            if (ours) {
                connection.readAll(handler::received);
            } else {
                LOG.log(
                        System.Logger.Level.WARNING,
                        "launcher port {0}: a connection without the secret was closed",
                        port());
            }
        } catch (IOException ended) {
            LOG.log(System.Logger.Level.DEBUG, "connection of a launched process: ended", ended);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (ours) {
                handler.closed();
            }
        }
    }

    /**
     * Waits until each connection that was opened before has proved itself or was closed. Returns at once if the port is
     * closed.
     */
    void awaitEarlier() {
        try (Socket last = new Socket(socket.getInetAddress(), port())) {
            last.setSoTimeout(2 * HELLO_MILLIS);
            last.getOutputStream().write(bytes(LAST + "\t" + secret + "\n"));
            if (last.getInputStream().read() >= 0) {
                LOG.log(System.Logger.Level.DEBUG, "launcher port {0}: unexpected answer", port());
            }
        } catch (IOException closed) {
            LOG.log(System.Logger.Level.DEBUG, "launcher port: closed before", closed);
        }
    }

    private boolean isLast(LaunchMessage message) {
        return message.word().equals(LAST) && isSecret(message.value(0));
    }

    private boolean isHello(LaunchMessage message) {
        return message.word().equals(LaunchMessage.HELLO)
                && message.value(0).equals(VERSION)
                && isSecret(message.value(1));
    }

    private boolean isSecret(String given) {
        return MessageDigest.isEqual(bytes(given), bytes(secret));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static void thread(String name, Runnable action) {
        Thread thread = new Thread(action, name);
        thread.setDaemon(true);
        thread.start();
    }
}
