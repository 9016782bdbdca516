package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.OutputLinks;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private long peer;
    private final WorkerSession session;
    private final int cores;
    private final int memory;
    private final String directory; // empty if the worker did not send it
    private final String pages; // empty if the worker serves none
    private final List<ResourceInformation> resources;
    private final AddressLedger addresses;
    private final boolean supervises;
    private final boolean takesBatches;
    private final Watcher watcher;
    private final Map<String, Grant> grants = new LinkedHashMap<>(); // executors on this worker, by holder of addresses
    private boolean stops;
    private Optional<Departure> departure = Optional.empty(); // while it is decommissioned
    private boolean confirmed; // over the present connection: that nothing more is started here
    private OptionalLong awaySince = OptionalLong.empty();
    private int orders; // over the present connection
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
        this.session = message.session();
        this.cores = message.cores();
        this.memory = message.memoryMebibytes();
        this.directory = message.directory();
        this.pages = message.pages();
        this.resources = message.resources();
        this.addresses = new AddressLedger(message.resources());
        this.supervises = message.supervises();
        this.takesBatches = message.takesBatches();
        this.lastHeartbeatNanos = now;
    }

    /**
     * Decommission of a worker for {@code reason}. Once the worker itself has {@code begun} it, it ends what runs there at {@code
     * endNanos}, if that is set.
     */
    record Departure(String reason, boolean begun, OptionalLong endNanos) {}

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

    /** Random name of the process of this worker; empty for an older one, whose processes end with its connection. */
    String session() {
        return session.id();
    }

    /** Whether {@code message} comes from the process of this worker, which has kept its children. */
    boolean isContinuedBy(RegisterWorker message) {
        return session.isResumable() && session.id().equals(message.session().id());
    }

    /** Whether the connection to this worker has ended, and it may come back over another one. */
    boolean isAway() {
        return awaySince.isPresent();
    }

    /** Time for which this worker has been away at {@code now}; 0 if it is not. */
    long awayNanos(long now) {
        return awaySince.isPresent() ? now - awaySince.getAsLong() : 0;
    }

    /** The connection has ended at {@code now}. Nothing fits on this worker until it is back. */
    void goesAway(long now) {
        awaySince = OptionalLong.of(now);
    }

    /** The worker is back over the connection {@code connection}. */
    void returns(long connection, long now) {
        peer = connection;
        orders = 0;
        confirmed = false;
        awaySince = OptionalLong.empty();
        heartbeat(now);
    }

    /** Counts an order that is sent over the present connection. */
    void ordered() {
        orders++;
    }

    int orders() {
        return orders;
    }

    /** Path on the worker's machine that receives the output of an executor; empty if it is not known. */
    String directory(ApplicationId application, ExecutorId executor) {
        return directory.isEmpty() ? "" : directory + "/" + application + "/" + executor;
    }

    /** Path on the worker's machine that receives the output of a driver; empty if it is not known. */
    String directory(SubmissionId driver) {
        return directory.isEmpty() ? "" : directory + "/" + driver;
    }

    /** Address of the pages of this worker; empty if it serves none. */
    String pages() {
        return pages;
    }

    /** Addresses of the output of an executor on this worker. */
    Map<String, String> links(ApplicationId application, ExecutorId executor) {
        return OutputLinks.of(
                LogSource.ofExecutor(application, executor), pages, host, directory(application, executor));
    }

    /** Addresses of the output of a driver on this worker. */
    Map<String, String> links(SubmissionId driver) {
        return OutputLinks.of(LogSource.ofDriver(driver), pages, host, directory(driver));
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
    void leaves(Departure known) {
        departure = Optional.of(known);
    }

    boolean isLeaving() {
        return departure.isPresent();
    }

    /** The decommission of this worker, if there is one. */
    Optional<Departure> departure() {
        return departure;
    }

    /** Confirms the departure over the present connection. Returns whether it was not confirmed before. */
    boolean confirms() {
        boolean isNew = !confirmed;
        confirmed = true;
        return isNew;
    }

    /** Sets why nothing is placed on this worker at present; empty if nothing hinders. */
    void hinder(String why) {
        hindrance = why;
    }

    boolean isHindered() {
        return !hindrance.isEmpty();
    }

    /** Whether a process may be placed here, or adopted, that needs so much. */
    boolean fits(int wantedCores, long wantedMemory) {
        return !stops && !isAway() && coresFree() >= wantedCores && memoryFree() >= wantedMemory;
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

    /** Addresses that {@code holder} uses. */
    List<ResourceInformation> heldBy(String holder) {
        return addresses.heldBy(holder);
    }

    /** Whether the addresses of {@code wanted} are free. */
    boolean hasFree(List<ResourceInformation> wanted) {
        return addresses.hasFree(wanted);
    }

    /** Notes that a process of this worker uses these addresses, which are free. */
    void claimAddresses(String holder, List<ResourceInformation> used) {
        addresses.claim(holder, used);
        watcher.changed(this, false);
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
        if (coresFree() < reservedCores || memoryFree() < reservedMemory) {
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
