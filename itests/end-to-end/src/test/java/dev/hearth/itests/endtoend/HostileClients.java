package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.AnonymousTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Connections to one port that show no secret and no token, in plain Java sockets. Those that the server closes are
 * opened again, at most 400 a second. Closed by the test.
 */
final class HostileClients implements AutoCloseable {
    private static final int RECEIVE_BYTES = 4 * 1024;
    private static final int TICK_MILLIS = 50;
    private static final int CHECKED_PER_TICK = 20;
    private static final int TLS_MILLIS_MAX = 5_000;
    private static final byte[] HALF_CLIENT_HELLO = {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc, 3, 3};

    private final int port;
    private final SSLContext tls;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
    private final List<@Nullable Socket> sockets = new ArrayList<>(); // owned by the timer after the start
    private final AtomicInteger renewed = new AtomicInteger();
    private int next;

    HostileClients(int port) throws GeneralSecurityException {
        this.port = port;
        this.tls = AnonymousTls.context();
    }

    /** Behaviour of a client after it has connected. */
    enum Kind {
        SILENT,
        HALF_TLS,
        SLOW_HEAD_OVER_TLS,
        SLOW_HEAD,
        READS_NOTHING
    }

    /** Opens {@code count} connections of {@code kinds} in turn, and keeps them open. */
    @SuppressWarnings("FutureReturnValueIgnored") // ends with its timer
    void hold(int count, String path, Kind... kinds) {
        for (int i = 0; i < count; i++) {
            sockets.add(open(kinds[i % kinds.length], path));
        }
        timer.scheduleWithFixedDelay(() -> renew(path, kinds), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Number of connections that were opened again. */
    int renewed() {
        return renewed.get();
    }

    @Override
    public void close() throws IOException {
        timer.shutdownNow();
        try {
            if (!timer.awaitTermination(TLS_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("hostile clients: their thread still runs (expected: it has ended)");
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
        for (Socket socket : sockets) {
            if (socket != null) {
                socket.close();
            }
        }
    }

    private void renew(String path, Kind... kinds) {
        for (int i = 0; i < Math.min(CHECKED_PER_TICK, sockets.size()) && !timer.isShutdown(); i++) {
            next = (next + 1) % sockets.size();
            Kind kind = kinds[next % kinds.length];
            Socket socket = sockets.get(next);
            if (socket == null || (kind != Kind.READS_NOTHING && isClosed(socket))) {
                renewed.incrementAndGet();
                sockets.set(next, open(kind, path));
            }
        }
    }

    private @Nullable Socket open(Kind kind, String path) {
        Socket socket = new Socket();
        try {
            socket.setReceiveBufferSize(RECEIVE_BYTES);
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            socket.setSoTimeout(TLS_MILLIS_MAX);
            if (kind == Kind.SLOW_HEAD_OVER_TLS) {
                socket = tls.getSocketFactory().createSocket(socket, "localhost", port, true);
            }
            socket.getOutputStream().write(first(kind, path));
            socket.setSoTimeout(1);
            return socket;
        } catch (IOException refused) {
            close(socket);
            return null;
        }
    }

    private static byte[] first(Kind kind, String path) {
        String head = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n";
        return switch (kind) {
            case SILENT -> new byte[0];
            case HALF_TLS -> HALF_CLIENT_HELLO;
            case SLOW_HEAD, SLOW_HEAD_OVER_TLS -> head.getBytes(StandardCharsets.US_ASCII);
            case READS_NOTHING -> (head + "\r\n").getBytes(StandardCharsets.US_ASCII);
        };
    }

    private static boolean isClosed(Socket socket) {
        try {
            boolean ended = socket.getInputStream().read() < 0;
            if (ended) {
                socket.close();
            }
            return ended;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            close(socket);
            return true;
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new AssertionError("a socket of a test: cannot be closed", failure);
        }
    }
}
