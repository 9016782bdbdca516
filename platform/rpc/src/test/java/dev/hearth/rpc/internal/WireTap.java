package dev.hearth.rpc.internal;

import dev.hearth.spi.net.RpcAddress;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that records all bytes between its port and a process. */
final class WireTap implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 * 1024;

    private final RpcAddress target;
    private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream recorded = new ByteArrayOutputStream(); // guarded by its own lock

    WireTap(RpcAddress target) throws IOException {
        this.target = target;
        inBackground(this::accept);
    }

    RpcAddress address() {
        return new RpcAddress("127.0.0.1", listening.getLocalPort());
    }

    /** All recorded bytes in both directions, one character per byte. */
    String recorded() {
        return recorded.toString(StandardCharsets.ISO_8859_1);
    }

    /** Closes every connection abruptly. */
    void cut() throws IOException {
        for (Socket each : sockets) {
            if (!each.isClosed()) {
                each.setSoLinger(true, 0);
                each.close();
            }
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        cut();
    }

    private void accept() {
        try {
            while (true) {
                Socket here = listening.accept();
                Socket there = new Socket(target.host(), target.port());
                sockets.addAll(List.of(here, there));
                inBackground(() -> copy(here, there));
                inBackground(() -> copy(there, here));
            }
        } catch (IOException closed) {
            // the test has ended
        }
    }

    private void copy(Socket from, Socket to) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try (from;
                to) {
            for (int read = from.getInputStream().read(buffer);
                    read >= 0;
                    read = from.getInputStream().read(buffer)) {
                recorded.write(buffer, 0, read);
                to.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException closed) {
            // one side is closed, so the other is closed too
        }
    }

    private static void inBackground(Runnable work) {
        Thread thread = new Thread(work, "tap");
        thread.setDaemon(true);
        thread.start();
    }
}
