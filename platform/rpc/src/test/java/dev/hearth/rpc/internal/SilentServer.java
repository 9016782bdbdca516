package dev.hearth.rpc.internal;

import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;

/** Accepts one connection on a thread of its own, and sends given bytes or none. */
final class SilentServer implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final CompletableFuture<RawConnection> accepted = new CompletableFuture<>();

    SilentServer() throws IOException {
        Thread thread = new Thread(this::accept, "silent-server");
        thread.setDaemon(true);
        thread.start();
    }

    RpcAddress address() {
        return new RpcAddress("127.0.0.1", listening.getLocalPort());
    }

    RawConnection awaitConnection() throws Exception {
        return TestEnvs.await(accepted);
    }

    @Override
    public void close() throws IOException {
        listening.close();
        if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
            accepted.join().close();
        }
    }

    private void accept() {
        try {
            Socket socket = listening.accept();
            accepted.complete(new RawConnection(socket));
        } catch (IOException closed) {
            accepted.completeExceptionally(closed);
        }
    }
}
