package dev.hearth.standalone.internal.master;

/**
 * Registered worker and its reserved resources. Owned by {@link Master}. Invariant: reservations never exceed the
 * resources that the worker offers.
 */
final class WorkerRecord {
    private final String id;
    private final String host;
    private final int port;
    private final long peer;
    private final int cores;
    private final int memory;
    private int coresUsed;
    private int memoryUsed;
    private long lastHeartbeatNanos;

    WorkerRecord(String id, String host, int port, long peer, int cores, int memory, long now) {
        this.id = id;
        this.host = host;
        this.port = port;
        this.peer = peer;
        this.cores = cores;
        this.memory = memory;
        this.lastHeartbeatNanos = now;
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

    boolean fits(int wantedCores, long wantedMemory) {
        return coresFree() >= wantedCores && memoryFree() >= wantedMemory;
    }

    void reserve(int reservedCores, int reservedMemory) {
        if (!fits(reservedCores, reservedMemory)) {
            throw new IllegalStateException("worker " + id + ": " + reservedCores + " cores, " + reservedMemory
                    + " MiB (expected: at most the free " + coresFree() + " and " + memoryFree() + ")");
        }
        coresUsed += reservedCores;
        memoryUsed += reservedMemory;
    }

    void release(int releasedCores, int releasedMemory) {
        coresUsed -= releasedCores;
        memoryUsed -= releasedMemory;
    }

    void heartbeat(long now) {
        lastHeartbeatNanos = now;
    }

    long silentNanos(long now) {
        return now - lastHeartbeatNanos;
    }
}
