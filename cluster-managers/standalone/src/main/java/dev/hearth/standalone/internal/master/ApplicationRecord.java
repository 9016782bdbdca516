package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.RestartBackoff;
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
    private final RestartBackoff pause;
    private int wanted;
    private int executorsMade;

    ApplicationRecord(ApplicationId id, RegisterApplication request, long peer, long now) {
        this.id = id;
        this.request = request;
        this.peer = peer;
        this.pause = new RestartBackoff(now);
    }

    /** An executor on a worker, from the order to launch it to the word that it is gone. */
    static final class Grant {
        private final WorkerRecord worker;
        private final int cores;
        private final int memory;
        private final long sinceNanos;
        private boolean released;

        Grant(WorkerRecord worker, int cores, int memory, long now) {
            this.worker = worker;
            this.cores = cores;
            this.memory = memory;
            this.sinceNanos = now;
        }

        WorkerRecord worker() {
            return worker;
        }

        /** Whether it has lasted long enough to count as one that works. */
        boolean isStable(long now) {
            return RestartBackoff.isStable(sinceNanos, now);
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

    ExecutorId grant(WorkerRecord worker, int cores, long now) {
        ExecutorId executor = new ExecutorId(String.valueOf(executorsMade++));
        worker.take(cores, request.executorMemoryMebibytes());
        executors.put(executor, new Grant(worker, cores, request.executorMemoryMebibytes(), now));
        return executor;
    }

    /** Makes the next executor wait when they end soon after their start. */
    void noteEnd(Grant grant, long now) {
        pause.noteEnd(grant.sinceNanos, now);
    }

    int failures() {
        return pause.earlyEnds();
    }

    boolean mayGrant(long now) {
        return pause.remaining(now).isZero();
    }
}
