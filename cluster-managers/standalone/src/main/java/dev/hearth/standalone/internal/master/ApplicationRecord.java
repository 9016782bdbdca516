package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** An application that is registered: what it wants and what it has been given. Owned by {@link Master}. */
final class ApplicationRecord {
    private final ApplicationId id;
    private final RegisterApplication request;
    private final long peer;
    private final Map<ExecutorId, Grant> executors = new LinkedHashMap<>();
    private final Set<String> excludedHosts = new LinkedHashSet<>();
    private int wanted;
    private int failures;
    private int executorsMade;

    ApplicationRecord(ApplicationId id, RegisterApplication request, long peer) {
        this.id = id;
        this.request = request;
        this.peer = peer;
    }

    /** An executor on a worker, from the order to launch it to the word that it is gone. */
    static final class Grant {
        private final WorkerRecord worker;
        private final int cores;
        private final int memory;
        private boolean released;

        Grant(WorkerRecord worker, int cores, int memory) {
            this.worker = worker;
            this.cores = cores;
            this.memory = memory;
        }

        WorkerRecord worker() {
            return worker;
        }

        boolean isReleased() {
            return released;
        }

        void release() {
            released = true;
        }

        void giveBack() {
            worker.give(cores, memory);
        }
    }

    ApplicationId id() {
        return id;
    }

    RegisterApplication request() {
        return request;
    }

    long peer() {
        return peer;
    }

    Map<ExecutorId, Grant> executors() {
        return executors;
    }

    void want(int total, List<String> excluded) {
        wanted = total;
        excludedHosts.clear();
        excludedHosts.addAll(excluded);
    }

    boolean excludes(String host) {
        return excludedHosts.contains(host);
    }

    /** How many executors are still to be given. */
    int executorsMissing() {
        return Math.max(0, wanted - executors.size());
    }

    /** How many cores may still be given. */
    int coresMissing() {
        int given = executors.values().stream().mapToInt(grant -> grant.cores).sum();
        return Math.max(0, request.coresMax().orElse(Integer.MAX_VALUE) - given);
    }

    ExecutorId grant(WorkerRecord worker, int cores) {
        ExecutorId executor = new ExecutorId(String.valueOf(executorsMade++));
        worker.take(cores, request.executorMemoryMebibytes());
        executors.put(executor, new Grant(worker, cores, request.executorMemoryMebibytes()));
        return executor;
    }

    int fail() {
        return ++failures;
    }
}
