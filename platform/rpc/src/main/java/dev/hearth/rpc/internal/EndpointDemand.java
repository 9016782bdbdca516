package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.OnDemandBundles;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Starts the on-demand bundles that register an endpoint when a peer first asks for it. Each start runs on a thread of
 * its own, because it blocks. Thread-safe.
 */
final class EndpointDemand {
    /** Demand of a scope whose endpoints are all registered when they are needed. */
    static final EndpointDemand NONE = new EndpointDemand(Optional.empty());

    /** Maximum number of asks that wait for bundles to start, each with its message and a thread. */
    static final int ASKS_WAITING_MAX = 16;

    private final Optional<OnDemandBundles> bundles;
    private final AtomicInteger waiting = new AtomicInteger();

    EndpointDemand(Optional<OnDemandBundles> bundles) {
        this.bundles = bundles;
    }

    /**
     * Starts the bundles that register {@code endpoint}, and then calls {@code then} on another thread, with the failure
     * if they do not start. Returns false, and calls nothing, if no bundles start on demand or too many asks wait.
     */
    boolean start(String endpoint, Consumer<Optional<HearthException>> then) {
        if (bundles.isEmpty()) {
            return false;
        }
        if (waiting.incrementAndGet() > ASKS_WAITING_MAX) {
            waiting.decrementAndGet();
            return false;
        }
        Thread starter = DaemonThreads.ofThisBundle(new Thread(
                () -> {
                    Optional<HearthException> failure = startNow(bundles.get(), endpoint);
                    waiting.decrementAndGet();
                    then.accept(failure);
                },
                "hearth-endpoint-start"));
        starter.setDaemon(true);
        starter.start();
        return true;
    }

    private static Optional<HearthException> startNow(OnDemandBundles bundles, String endpoint) {
        try {
            bundles.startForEndpoint(endpoint);
            return Optional.empty();
        } catch (RuntimeException | LinkageError failure) { // the ask must be answered
            return Optional.of(Failures.asHearth(failure, ErrorCode.START_FAILED, "endpoint " + endpoint));
        }
    }
}
