package dev.hearth.rpc.internal;

import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * TCP proxy to a listening process that injects faults: each connection takes the next fault, later ones have none.
 * Otherwise forwards bytes unchanged. Closed by its test; any thread may call.
 */
final class FaultyTcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final RpcAddress target;
    private final ServerSocket listening;
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final CountDownLatch ended = new CountDownLatch(1);

    FaultyTcpProxy(RpcAddress target) throws IOException {
        this.target = target;
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start("accept", this::accept);
    }

    RpcAddress address() {
        return new RpcAddress("127.0.0.1", listening.getLocalPort());
    }

    /** Adds a fault for the next connection, at byte {@code at} of one direction. */
    void next(Kind kind, Direction direction, long at) {
        faults.add(new Fault(kind, direction, at));
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        ended.countDown();
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() throws IOException {
        while (ended.getCount() > 0) {
            Socket near = listening.accept();
            Socket far = new Socket(InetAddress.getByName(target.host()), target.port());
            sockets.add(near);
            sockets.add(far);
            connections.incrementAndGet();
            Fault fault = faults.poll();
            start("up", () -> pass(near, far, fault, Direction.REQUESTS));
            start("down", () -> pass(far, near, fault, Direction.ANSWERS));
        }
    }

    private void pass(Socket from, Socket to, Fault fault, Direction direction) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] buffer = new byte[BUFFER_BYTES];
            long passed = 0;
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                boolean faulty = fault != null && fault.direction == direction && fault.at < passed + read;
                if (faulty && fault.at >= passed) {
                    int before = (int) (fault.at - passed);
                    switch (fault.kind) {
                        case CUT -> {
                            out.write(buffer, 0, before);
                            return;
                        }
                        case STALL -> {
                            out.write(buffer, 0, before);
                            ended.await();
                            return;
                        }
                        case FLIP -> buffer[before] ^= 4;
                    }
                }
                out.write(buffer, 0, read);
                passed += read;
            }
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(String what, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException broken) {
                        // one of the ends has disconnected, or the test has ended
                    }
                },
                "faulty-line-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    enum Kind {
        CUT,
        STALL,
        FLIP
    }

    enum Direction {
        REQUESTS,
        ANSWERS
    }

    private record Fault(Kind kind, Direction direction, long at) {}

    private interface Work {
        void run() throws IOException;
    }
}
