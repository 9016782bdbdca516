package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A proxy between two processes that injects faults: each connection takes the next one. */
final class FaultyProxy implements AutoCloseable {
    private final ServerSocket listening;
    private final RpcAddress target;
    private final Queue<ProxyFault> faults = new ConcurrentLinkedQueue<>();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();

    FaultyProxy(RpcAddress target, ProxyFault... faults) throws IOException {
        this.target = target;
        this.faults.addAll(List.of(faults));
        this.listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        thread("accept", this::accept);
    }

    RpcAddress address() {
        return new RpcAddress("127.0.0.1", listening.getLocalPort());
    }

    int connections() {
        return connections.get();
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listening.accept();
                Socket server = new Socket(target.host(), target.port());
                sockets.add(client);
                sockets.add(server);
                connections.incrementAndGet();
                ProxyFault next = faults.poll();
                ProxyFault fault = next == null ? ProxyFault.NONE : next;
                thread("up", () -> pump(client, server, fault.fromServer() ? ProxyFault.NONE : fault));
                thread("down", () -> pump(server, client, fault.fromServer() ? fault : ProxyFault.NONE));
            }
        } catch (IOException closed) {
            return; // the test has ended
        }
    }

    private void pump(Socket from, Socket to, ProxyFault fault) {
        byte[] buffer = new byte[64 * 1024];
        long passed = 0;
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                long before = fault.afterBytes() - passed;
                if (before < read && before >= 0) {
                    if (fault.kind() == ProxyFault.Kind.FLIP) {
                        buffer[(int) before] ^= 0x10;
                    } else if (fault.kind() != ProxyFault.Kind.NONE) {
                        out.write(buffer, 0, (int) before);
                        if (fault.kind() == ProxyFault.Kind.STALL) {
                            new CountDownLatch(1).await(); // blocks until the test ends
                        }
                        return;
                    }
                }
                out.write(buffer, 0, read);
                passed += read;
            }
        } catch (IOException ended) {
            return; // one side is closed, so the other is closed too
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, "faulty-way-" + name);
        thread.setDaemon(true);
        thread.start();
    }
}
