package dev.hearth.hazookeeper.internal;

import dev.hearth.spi.net.RpcAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Connections by TCP, one at a time, on a thread of its own. */
final class SocketReach implements LeaderProbe.Reach, AutoCloseable {
    private static final int CONNECT_MILLIS_MAX = 1_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread probing = new Thread(task, "leader-probe");
        probing.setDaemon(true);
        return probing;
    });

    @Override
    public CompletionStage<LeaderProbe.Answer> connect(String master) {
        return RpcAddress.parse(master)
                .map(address -> CompletableFuture.supplyAsync(() -> connect(address), thread))
                .orElseGet(() -> CompletableFuture.completedFuture(LeaderProbe.Answer.SILENT));
    }

    private static LeaderProbe.Answer connect(RpcAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS_MAX);
            return LeaderProbe.Answer.ACCEPTED;
        } catch (ConnectException refused) {
            // a host without a route to it is told as the same kind of exception
            return Optional.ofNullable(refused.getMessage())
                            .filter(text -> text.contains("refused"))
                            .isPresent()
                    ? LeaderProbe.Answer.REFUSED
                    : LeaderProbe.Answer.SILENT;
        } catch (IOException unknown) {
            return LeaderProbe.Answer.SILENT;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
