package dev.hearth.standalone.internal.master;

import dev.hearth.spi.error.Quantity;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Limit of the number of workers at a master, {@link MasterSettings#workersMax}. A lost worker counts until the worker
 * timeout has passed, so that others cannot take its place before it reconnects. Owned by {@link Master}.
 */
final class WorkerPlaces {
    private final MasterSettings settings;
    private final Map<String, Long> reserved = new LinkedHashMap<>(); // by worker, with the time of the loss

    WorkerPlaces(MasterSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns why a worker that registers is refused; empty if it is accepted. {@code workers} counts the registered
     * workers, and {@code ofConnection} those of them that use the same connection as the new one.
     */
    Optional<String> refusal(RegisterWorker message, int workers, long ofConnection, long now) {
        reserved.values().removeIf(lost -> now - lost > settings.workerTimeout().toNanos());
        if (message.cores() < 1 || message.memoryMebibytes() < 1) {
            return Optional.of("worker " + message.worker() + ": " + Quantity.of(message.cores(), "core") + " and "
                    + message.memoryMebibytes() + " MiB of memory offered (expected: at least 1 core and 1 MiB)");
        }
        if (ofConnection >= settings.workersPerConnectionMax()) {
            return Optional.of(
                    Quantity.of(ofConnection, "worker") + " registered over this connection already (expected: at"
                            + " most that many, from hearth.deploy.workersPerConnectionMax); give each worker a connection"
                            + " of its own");
        }
        int others = workers + reserved.size() - (reserved.containsKey(message.worker()) ? 1 : 0);
        if (others >= settings.workersMax()) {
            return Optional.of(Quantity.of(workers, "worker") + " registered already, and "
                    + Quantity.of(others - workers, "lost worker")
                    + " may reconnect (expected: at most hearth.deploy.workersMax ="
                    + " " + settings.workersMax() + " in all, with this one)");
        }
        return Optional.empty();
    }

    /**
     * Ends the reservation for {@code worker}, which has registered again and so has its place; does nothing if there
     * is none.
     */
    void taken(String worker) {
        reserved.remove(worker);
    }

    /** Reserves the place of {@code worker}, which was lost at the time {@code now}, so that it can reconnect. */
    void left(String worker, long now) {
        reserved.put(worker, now);
    }
}
