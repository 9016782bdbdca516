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
final class SocketReach implements MasterProbe.Reach, AutoCloseable {
    private static final int CONNECT_MILLIS_MAX = 1_000;

    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread probing = new Thread(task, "master-probe");
        probing.setDaemon(true);
        return probing;
    });

    @Override
    public CompletionStage<MasterProbe.Answer> connect(String master) {
        return RpcAddress.parse(master)
                .map(address -> CompletableFuture.supplyAsync(() -> connect(address), thread))
                .orElseGet(() -> CompletableFuture.completedFuture(MasterProbe.Answer.SILENT));
    }

    private static MasterProbe.Answer connect(RpcAddress address) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.host(), address.port()), CONNECT_MILLIS_MAX);
            return MasterProbe.Answer.ACCEPTED;
        } catch (ConnectException refused) {
            // a host without a route to it leads to the same kind of exception
            return Optional.ofNullable(refused.getMessage())
                            .filter(text -> text.contains("refused"))
                            .isPresent()
                    ? MasterProbe.Answer.REFUSED
                    : MasterProbe.Answer.SILENT;
        } catch (IOException unknown) {
            return MasterProbe.Answer.SILENT;
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
