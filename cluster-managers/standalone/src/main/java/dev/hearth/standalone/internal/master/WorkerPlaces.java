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

    /** Returns why a new worker is refused; empty if there is a place. {@code ofConnection} counts its connection. */
    Optional<String> refusal(RegisterWorker message, int workers, long ofConnection, long now) {
        reserved.values().removeIf(lost -> now - lost > settings.workerTimeout().toNanos());
        if (message.cores() < 1 || message.memoryMebibytes() < 1) {
            return Optional.of("no cores or no memory (expected: at least 1 of each)");
        }
        if (ofConnection >= settings.workersPerConnectionMax()) {
            return Optional.of("connection: " + ofConnection + " workers (expected: up to"
                    + " hearth.deploy.workersPerConnectionMax); connect each worker by itself");
        }
        int others = workers + reserved.size() - (reserved.containsKey(message.worker()) ? 1 : 0);
        if (others >= settings.workersMax()) {
            return Optional.of("there are " + workers + " workers and " + (others - workers)
                    + " that may reconnect (expected: up to hearth.deploy.workersMax)");
        }
        return Optional.empty();
    }

    /** Called when a worker has registered. */
    void taken(String worker) {
        reserved.remove(worker);
    }

    /** Called when a worker is lost, which may reconnect. */
    void left(String worker, long now) {
        reserved.put(worker, now);
    }
}
