package dev.hearth.standalone.internal.master;

import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Places of workers at a master, within {@link MasterSettings#workersMax}. A lost worker keeps its place for the worker
 * timeout, so that others cannot take it before the worker reconnects. Owned by {@link Master}.
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
            return Optional.of("worker " + message.worker() + ": " + message.cores() + " cores and" + " "
                    + message.memoryMebibytes() + " MiB of memory offered (expected: at least 1 core and 1 MiB)");
        }
        if (ofConnection >= settings.workersPerConnectionMax()) {
            return Optional.of(ofConnection + " workers are registered over this connection already (expected: at"
                    + " most that many, from hearth.deploy.workersPerConnectionMax); give each worker a connection"
                    + " of its own");
        }
        int others = workers + reserved.size() - (reserved.containsKey(message.worker()) ? 1 : 0);
        if (others >= settings.workersMax()) {
            return Optional.of(workers + " workers are registered already, and " + (others - workers) + " lost"
                    + " workers may reconnect (expected: at most hearth.deploy.workersMax ="
                    + " " + settings.workersMax() + " in all, with this one)");
        }
        return Optional.empty();
    }

    /** Frees the place that is reserved for {@code worker}, which has registered again; does nothing if it has none. */
    void taken(String worker) {
        reserved.remove(worker);
    }

    /** Reserves a place for {@code worker}, which is lost at {@code now} but may reconnect. */
    void left(String worker, long now) {
        reserved.put(worker, now);
    }
}
