package dev.hearth.kubernetes.internal.client;

import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.spi.cluster.MasterUrl;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Component;

/**
 * API servers that the parts of one process have open, so that a driver's backend finds the connections of its seat. Each
 * user closes what it has opened; the last one closes the connections. Thread-safe.
 */
@Component(service = OpenServers.class)
public final class OpenServers {
    private final Map<Key, CompletableFuture<FabricApiServer>> open = new HashMap<>(); // guarded by this

    private record Key(Map<String, String> environment, MasterUrl master, ClusterSettings settings) {}

    /**
     * Opens an API server, as {@link ApiServerAccess#open} does, or shares its connections with those who have it open.
     * Blocks.
     */
    public ApiServer open(Map<String, String> environment, MasterUrl master, ClusterSettings settings) {
        return open(new Key(environment, master, settings), () -> ApiServerAccess.open(environment, master, settings));
    }

    private ApiServer open(Key key, Supplier<FabricApiServer> opening) {
        CompletableFuture<FabricApiServer> own = new CompletableFuture<>();
        CompletableFuture<FabricApiServer> found;
        synchronized (this) {
            found = open.putIfAbsent(key, own);
        }
        if (found == null) {
            return opened(key, own, opening);
        }
        try {
            Optional<FabricApiServer> shared = found.join().share();
            return shared.isPresent() ? shared.get() : replaced(key, found, opening);
        } catch (CompletionException failed) {
            return replaced(key, found, opening); // another attempt may find other credentials
        }
    }

    private ApiServer opened(Key key, CompletableFuture<FabricApiServer> own, Supplier<FabricApiServer> opening) {
        try {
            FabricApiServer server = opening.get();
            own.complete(server);
            return server;
        } catch (RuntimeException failure) {
            forget(key, own);
            own.completeExceptionally(failure);
            throw failure;
        }
    }

    private ApiServer replaced(Key key, CompletableFuture<FabricApiServer> closed, Supplier<FabricApiServer> opening) {
        forget(key, closed);
        return open(key, opening);
    }

    private synchronized void forget(Key key, CompletableFuture<FabricApiServer> closed) {
        open.remove(key, closed);
    }
}
