package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Forwards connections between two addresses of this machine. For a short time it resets one connection or all, lets nothing
 * through in either direction, or refuses new connections, whatever its random numbers say. It can also keep back all answers.
 */
final class TroubledRelay implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int BACKLOG = 256;
    private static final int MILLIS_MIN = 100;
    private static final int MILLIS_MAX = 3_000;
    private static final int PAUSE_MILLIS_MAX = 9_000;

    private final InetSocketAddress target;
    private final ServerSocket server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final AtomicInteger faults = new AtomicInteger();
    private final AtomicLong asked = new AtomicLong();
    private final Set<Link> links = new LinkedHashSet<>(); // guarded by this, as are the following
    private final Set<Link> held = new LinkedHashSet<>();
    private boolean refuses;
    private boolean isHeld;
    private long muteAfter = Long.MAX_VALUE;

    /** Relay from {@code host}:{@code port}, whose port 0 means any, to {@code target}. */
    TroubledRelay(String host, int port, InetSocketAddress target) throws IOException {
        this.target = target;
        this.server = new ServerSocket();
        server.setReuseAddress(true);
        server.bind(new InetSocketAddress(host, port), BACKLOG);
        threads.execute(this::accept);
    }

    /** A connection of a client, and that to the target. */
    private record Link(Socket client, Socket there) {
        /** Ends both as a firewall does that has lost its state: without the bytes on their way. */
        void reset() throws IOException {
            for (Socket socket : List.of(client, there)) {
                TroubledRelay.reset(socket);
            }
        }
    }

    private static void reset(Socket socket) throws IOException {
        try (socket) {
            socket.setSoLinger(true, 0);
        } catch (SocketException closed) {
            assert socket.isClosed() : closed; // by the thread that reads from it
        }
    }

    int port() {
        return server.getLocalPort();
    }

    /** Number of faults so far. */
    int faults() {
        return faults.get();
    }

    /** Number of bytes that clients have sent so far. */
    long asked() {
        return asked.get();
    }

    /** Begins faults of 0.1 to 3 s with pauses of up to 9 s between them, until the relay is healed. */
    void trouble(long seed) {
        Random random = new Random(seed);
        clock.execute(() -> next(random));
    }

    private void next(Random random) {
        try {
            begin(random);
            faults.incrementAndGet();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        schedule(random, MILLIS_MAX, () -> {
            mend();
            schedule(random, PAUSE_MILLIS_MAX, () -> next(random));
        });
    }

    private void schedule(Random random, int millisMax, Runnable action) {
        clock.schedule(action, random.nextInt(MILLIS_MIN, millisMax), TimeUnit.MILLISECONDS);
    }

    private synchronized void begin(Random random) throws IOException {
        boolean one = random.nextBoolean();
        List<Link> some = new ArrayList<>(links);
        if (one && !some.isEmpty()) {
            some = List.of(some.get(random.nextInt(some.size())));
        }
        if (random.nextBoolean()) {
            refuses = !one;
            for (Link link : some) {
                link.reset();
            }
        } else {
            isHeld = !one;
            held.addAll(some);
        }
    }

    private synchronized void mend() {
        refuses = false;
        isHeld = false;
        held.clear();
        notifyAll();
    }

    /** Ends all faults; connections that were reset stay so. */
    void heal() throws InterruptedException {
        clock.shutdownNow();
        clock.awaitTermination(1, TimeUnit.MINUTES);
        mend();
    }

    /** Keeps back all answers once clients have sent {@code bytes} more, until {@link #resetAll}. */
    synchronized void muteAfter(long bytes) {
        muteAfter = asked.get() + bytes;
    }

    /** Resets all connections, and forwards answers again. */
    synchronized void resetAll() throws IOException {
        muteAfter = Long.MAX_VALUE;
        for (Link link : List.copyOf(links)) {
            link.reset();
        }
        notifyAll();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                awaitAny();
                open(client);
            } catch (IOException closed) {
                assert server.isClosed() : closed;
            } catch (InterruptedException closed) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private synchronized void awaitAny() throws InterruptedException {
        while (isHeld) {
            wait();
        }
    }

    private void open(Socket client) throws IOException {
        Socket there = new Socket();
        Link link = new Link(client, there);
        synchronized (this) {
            if (refuses) {
                reset(client);
                return;
            }
            links.add(link);
        }
        try {
            there.connect(target);
        } catch (IOException away) {
            end(link);
            return;
        }
        threads.execute(() -> pump(link, client, there, true));
        threads.execute(() -> pump(link, there, client, false));
    }

    private void pump(Link link, Socket from, Socket to, boolean asks) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                if (asks) {
                    asked.addAndGet(read);
                }
                awaitRoad(link, asks);
                out.write(buffer, 0, read);
            }
            end(link);
        } catch (IOException ended) {
            end(link); // one end was closed, killed or reset
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void awaitRoad(Link link, boolean asks) throws InterruptedException {
        while (isHeld || held.contains(link) || (!asks && asked.get() >= muteAfter)) {
            wait();
        }
    }

    private synchronized void end(Link link) {
        links.remove(link);
        held.remove(link);
        try (Socket client = link.client();
                Socket there = link.there()) {
            assert client != there;
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() throws IOException {
        clock.shutdownNow();
        server.close();
        threads.shutdownNow();
        resetAll();
    }
}
