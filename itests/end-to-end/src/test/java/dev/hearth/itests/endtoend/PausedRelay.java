package dev.hearth.itests.endtoend;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Forwards connections to a port of this machine, and counts the bytes of the clients. After a number of bytes it forwards
 * no more until the test lets it go on, so that the test can act in the middle of a transfer.
 */
final class PausedRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;

    private final int target;
    private final long pauseAfter;
    private final ServerSocket server;
    private final AtomicLong bytes = new AtomicLong();
    private final CountDownLatch paused = new CountDownLatch(1);
    private final CountDownLatch resumed = new CountDownLatch(1);
    private final Set<Closeable> open = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    PausedRelay(int target, long pauseAfter) throws IOException {
        this.target = target;
        this.pauseAfter = pauseAfter;
        this.server = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
        threads.execute(this::accept);
    }

    int port() {
        return server.getLocalPort();
    }

    /** Number of bytes that clients have sent so far. */
    long bytes() {
        return bytes.get();
    }

    boolean awaitPause(long seconds) throws InterruptedException {
        return paused.await(seconds, TimeUnit.SECONDS);
    }

    void resume() {
        resumed.countDown();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                open.add(client);
                try {
                    Socket there = new Socket(InetAddress.getLoopbackAddress(), target);
                    open.add(there);
                    threads.execute(() -> pump(client, there, true));
                    threads.execute(() -> pump(there, client, false));
                } catch (IOException none) {
                    client.close(); // as the client would find it
                }
            } catch (IOException closed) {
                assert server.isClosed() : closed;
            }
        }
    }

    private void pump(Socket from, Socket to, boolean counted) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (counted && bytes.addAndGet(read) >= pauseAfter) {
                    paused.countDown();
                    resumed.await();
                }
                out.write(buffer, 0, read);
            }
        } catch (IOException ended) {
            open.remove(from); // one end was closed or killed
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        resumed.countDown();
        for (Closeable socket : open) {
            socket.close();
        }
        threads.shutdownNow();
    }
}
