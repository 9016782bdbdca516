package dev.hearth.submission.internal.gateway;

import dev.hearth.spi.cluster.ClusterClient;
import dev.hearth.spi.cluster.ClusterConnection;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Client of one cluster that a gateway keeps, with what it needs: an event loop, a message system, and a pin of the
 * cluster's manager. Any thread may call.
 */
interface GatewayLink {
    /** Passes {@code call} the client of the cluster, on an event loop or on the caller's thread. */
    <T> CompletionStage<T> ask(Function<ClusterClient, CompletionStage<T>> call);

    /** Runs {@code action} after {@code delay}, unless this link is closed before. */
    void after(Duration delay, Runnable action);

    void close();

    /** Link to the master that is this process, whose client needs nothing. */
    static GatewayLink own(ClusterClient client) {
        return new GatewayLink() {
            @Override
            public <T> CompletionStage<T> ask(Function<ClusterClient, CompletionStage<T>> call) {
                return call.apply(client);
            }

            @Override
            public void after(Duration delay, Runnable action) {
                // nothing is kept open, so nothing expires
            }

            @Override
            public void close() {
                // the client belongs to the master
            }
        };
    }

    /** Link over {@code connection} with the client of the manager {@code pinned}; it closes both. */
    static GatewayLink over(ClusterConnection connection, PinnedManager pinned, MasterUrl master) {
        CompletionStage<ClusterClient> client = connection.start(
                services -> CompletableFuture.completedStage(pinned.manager().client(master, services)));
        return new GatewayLink() {
            @Override
            public <T> CompletionStage<T> ask(Function<ClusterClient, CompletionStage<T>> call) {
                return connection.start(services -> client.thenCompose(call));
            }

            @Override
            public void after(Duration delay, Runnable action) {
                connection.start(services -> {
                    services.loop().schedule(delay, action);
                    return CompletableFuture.completedStage(delay);
                });
            }

            @Override
            public void close() {
                client.whenComplete((opened, failure) -> {
                    if (opened != null) {
                        opened.close();
                    }
                });
                connection.close();
                pinned.close();
            }
        };
    }
}
