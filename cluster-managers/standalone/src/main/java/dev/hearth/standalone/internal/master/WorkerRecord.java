package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;

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
    private final String directory; // empty if the worker did not send it
    private final List<ResourceInformation> resources;
    private final AddressLedger addresses;
    private final boolean supervises;
    private final boolean takesBatches;
    private final Watcher watcher;
    private final Map<String, Grant> grants = new LinkedHashMap<>(); // executors on this worker, by holder of addresses
    private boolean stops;
    private boolean leaves;
    private String hindrance = ""; // why nothing is placed here at present
    private int coresUsed;
    private int memoryUsed;
    private long lastHeartbeatNanos;

    WorkerRecord(RegisterWorker message, long peer, long now, Watcher watcher) {
        this.watcher = watcher;
        this.id = message.worker();
        this.host = message.host();
        this.port = message.port();
        this.peer = peer;
        this.cores = message.cores();
        this.memory = message.memoryMebibytes();
        this.directory = message.directory();
        this.resources = message.resources();
        this.addresses = new AddressLedger(message.resources());
        this.supervises = message.supervises();
        this.takesBatches = message.takesBatches();
        this.lastHeartbeatNanos = now;
    }

    /** Listener of changes of what a worker has free. */
    interface Watcher {
        /** {@code gained} says that {@code worker} has more of something than before. */
        void changed(WorkerRecord worker, boolean gained);
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

    /** Path on the worker's machine that receives the output of an executor; empty if it is not known. */
    String directory(ApplicationId application, ExecutorId executor) {
        return directory.isEmpty() ? "" : directory + "/" + application + "/" + executor;
    }

    /** Path on the worker's machine that receives the output of a driver; empty if it is not known. */
    String directory(SubmissionId driver) {
        return directory.isEmpty() ? "" : directory + "/" + driver;
    }

    /** This worker for display, with the number of its {@code drivers}. */
    WorkerEntry entry(WorkerEntry.State state, int drivers, long now) {
        return new WorkerEntry(
                id,
                host,
                port,
                state,
                OptionalInt.of(cores),
                OptionalInt.of(coresUsed),
                OptionalLong.of(memory),
                OptionalLong.of(memoryUsed),
                resources,
                addresses.held(),
                OptionalLong.of(Duration.ofNanos(silentNanos(now)).toMillis()),
                OptionalInt.of(grants.size()),
                OptionalInt.of(drivers),
                hindrance.isEmpty() ? Map.of() : Map.of("hindrance", hindrance));
    }

    /** Cores that the worker has, free or reserved. */
    int cores() {
        return cores;
    }

    /** Memory in MiB that the worker has, free or reserved. */
    int memory() {
        return memory;
    }

    int coresFree() {
        return cores - coresUsed;
    }

    int memoryFree() {
        return memory - memoryUsed;
    }

    /** Whether this worker starts supervised drivers again, and ends them when its lease expires. */
    boolean supervises() {
        return supervises;
    }

    /** Whether this worker takes orders for several executors at once. */
    boolean takesBatches() {
        return takesBatches;
    }

    /** Records that this worker ends its processes in order to stop. Nothing fits on it from now on. */
    void stops() {
        stops = true;
        watcher.changed(this, false);
    }

    boolean isStopping() {
        return stops;
    }

    /** Records that this worker is being decommissioned; {@link WorkerLedger#leaves} has nothing placed on it any more. */
    void leaves() {
        leaves = true;
    }

    boolean isLeaving() {
        return leaves;
    }

    /** Sets why nothing is placed on this worker at present; empty if nothing hinders. */
    void hinder(String why) {
        hindrance = why;
    }

    boolean isHindered() {
        return !hindrance.isEmpty();
    }

    boolean fits(int wantedCores, long wantedMemory) {
        return !stops && coresFree() >= wantedCores && memoryFree() >= wantedMemory;
    }

    /** Addresses of the resources of this worker, and their holders. */
    AddressLedger addresses() {
        return addresses;
    }

    /** Takes addresses for {@code holder}, of which there must be enough. */
    List<ResourceInformation> takeAddresses(String holder, Map<String, Integer> amounts) {
        List<ResourceInformation> taken = addresses.take(holder, amounts);
        if (!taken.isEmpty()) {
            watcher.changed(this, false);
        }
        return taken;
    }

    /** Takes back the addresses of a process that has ended, if it has any. */
    void giveBackAddresses(String holder) {
        if (addresses.giveBack(holder)) {
            watcher.changed(this, true);
        }
    }

    /** Executors that were granted on this worker and have not ended, in the order of their grants. */
    Collection<Grant> grants() {
        return grants.values();
    }

    /** Reserves cores and memory for an executor. */
    void add(Grant grant) {
        reserve(grant.cores(), grant.memory());
        grants.put(grant.holder(), grant);
    }

    /** Frees the cores and the memory of an executor. */
    void remove(Grant grant) {
        if (grants.remove(grant.holder(), grant)) {
            release(grant.cores(), grant.memory());
        }
    }

    void reserve(int reservedCores, int reservedMemory) {
        if (!fits(reservedCores, reservedMemory)) {
            throw new IllegalStateException("worker " + id + ": " + reservedCores + " cores, " + reservedMemory
                    + " MiB (expected: at most the free " + coresFree() + " and " + memoryFree() + ")");
        }
        coresUsed += reservedCores;
        memoryUsed += reservedMemory;
        watcher.changed(this, false);
    }

    void release(int releasedCores, int releasedMemory) {
        coresUsed -= releasedCores;
        memoryUsed -= releasedMemory;
        watcher.changed(this, true);
    }

    void heartbeat(long now) {
        lastHeartbeatNanos = now;
    }

    long silentNanos(long now) {
        return now - lastHeartbeatNanos;
    }

    /** Time of the last heartbeat. No lease of this worker began later. */
    long lastHeartbeatNanos() {
        return lastHeartbeatNanos;
    }
}
