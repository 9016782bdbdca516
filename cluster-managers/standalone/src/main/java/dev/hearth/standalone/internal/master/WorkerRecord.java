package dev.hearth.standalone.internal.master;

/** A live worker as the master counts it. Owned by {@link Master}. Invariant: never more is in use than there is. */
final class WorkerRecord {
    private final String id;
    private final String host;
    private final int port;
    private final long peer;
    private final int cores;
    private final int memory;
    private int coresUsed;
    private int memoryUsed;
    private long heardNanos;

    WorkerRecord(String id, String host, int port, long peer, int cores, int memory, long now) {
        this.id = id;
        this.host = host;
        this.port = port;
        this.peer = peer;
        this.cores = cores;
        this.memory = memory;
        this.heardNanos = now;
    }

    String id() {
        return id;
    }

    String host() {
        return host;
    }

    String address() {
        return host + ":" + port;
    }

    long peer() {
        return peer;
    }

    int coresFree() {
        return cores - coresUsed;
    }

    int memoryFree() {
        return memory - memoryUsed;
    }

    boolean fits(int wantedCores, int wantedMemory) {
        return coresFree() >= wantedCores && memoryFree() >= wantedMemory;
    }

    void take(int takenCores, int takenMemory) {
        if (!fits(takenCores, takenMemory)) {
            throw new IllegalStateException("worker " + id + ": " + takenCores + " cores, " + takenMemory
                    + " MiB (expected: at most the free " + coresFree() + " and " + memoryFree() + ")");
        }
        coresUsed += takenCores;
        memoryUsed += takenMemory;
    }

    void give(int givenCores, int givenMemory) {
        coresUsed -= givenCores;
        memoryUsed -= givenMemory;
    }

    void heard(long now) {
        heardNanos = now;
    }

    long silentNanos(long now) {
        return now - heardNanos;
    }
}
