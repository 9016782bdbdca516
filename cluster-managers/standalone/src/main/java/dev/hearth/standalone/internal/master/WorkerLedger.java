package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Registered workers, by id, by connection and by the time of their last heartbeat, and those that were lost. The cost of
 * an event does not grow with the number of workers. Owned by {@link Master}.
 */
final class WorkerLedger {
    private final MasterSettings settings;
    private final WorkerPlaces places;
    private final LostWorkers lost;
    private final FreeWorkers free;
    private final Map<String, WorkerRecord> workers = new LinkedHashMap<>();
    private final Map<String, WorkerRecord> byHeartbeat = new LinkedHashMap<>(); // the longest silent one first
    private final Map<String, WorkerRecord> away = new LinkedHashMap<>(); // whose connections have ended
    private final Map<Long, Set<WorkerRecord>> byPeer = new LinkedHashMap<>();
    private long lastExpireNanos;
    private int leaving; // workers that are being decommissioned
    private long version; // of the set of workers

    WorkerLedger(MasterSettings settings, long now) {
        this.settings = settings;
        this.places = new WorkerPlaces(settings);
        this.lost = new LostWorkers(settings);
        this.free = new FreeWorkers(settings.placement());
        this.lastExpireNanos = now;
    }

    /**
     * Returns why a worker that registers is refused; empty if it is accepted. Another process with its id is alive if its
     * last heartbeat is not older than {@code age}.
     */
    Optional<String> refusal(RegisterWorker message, long peer, Duration age, long now) {
        Optional<WorkerRecord> twin = find(message.worker())
                .filter(known -> !known.isAway()
                        && !known.session().isEmpty()
                        && message.session().isResumable()
                        && !known.isContinuedBy(message)
                        && known.silentNanos(now) <= age.toNanos());
        if (twin.isPresent()) {
            return Optional.of("worker " + message.worker() + ": another process with this id is alive at "
                    + twin.get().address() + " (expected: one process per id)");
        }
        int others = workers.size() - (workers.containsKey(message.worker()) ? 1 : 0);
        return places.refusal(message, others, of(peer).size(), now);
    }

    void register(RegisterWorker message, long peer, long now) {
        WorkerRecord worker = new WorkerRecord(message, peer, now, free);
        places.taken(worker.id());
        lost.returned(worker.id());
        workers.put(worker.id(), worker);
        byHeartbeat.put(worker.id(), worker);
        byPeer.computeIfAbsent(peer, first -> new LinkedHashSet<>()).add(worker);
        version++;
        free.add(worker);
    }

    /** Removes a worker; nothing is placed on it any more. */
    void remove(WorkerRecord worker, long now) {
        workers.remove(worker.id());
        byHeartbeat.remove(worker.id());
        away.remove(worker.id());
        leavePeer(worker);
        version++;
        leaving -= worker.isLeaving() ? 1 : 0;
        free.remove(worker);
        lost.add(worker, now);
    }

    /** The connection of a worker has ended; nothing is placed on it until it is back. */
    void goesAway(WorkerRecord worker, long now) {
        leavePeer(worker);
        free.remove(worker);
        worker.goesAway(now);
        away.put(worker.id(), worker);
    }

    /** A worker is back over the connection {@code peer}, with its children. */
    void returns(WorkerRecord worker, long peer, long now) {
        leavePeer(worker);
        away.remove(worker.id());
        worker.returns(peer, now);
        byPeer.computeIfAbsent(peer, first -> new LinkedHashSet<>()).add(worker);
        heard(worker, now);
        free.remove(worker);
        if (!worker.isLeaving() && !worker.isHindered()) {
            free.add(worker);
        }
    }

    /** Workers that have been away for longer than {@code graceNanos}. */
    List<WorkerRecord> gone(long graceNanos, long now) {
        List<WorkerRecord> gone = new ArrayList<>();
        for (WorkerRecord worker : away.values()) { // the longest absence first
            if (worker.awayNanos(now) < graceNanos) {
                break;
            }
            gone.add(worker);
        }
        return gone;
    }

    private void leavePeer(WorkerRecord worker) {
        Set<WorkerRecord> ofPeer = byPeer.get(worker.peer());
        if (ofPeer != null && ofPeer.remove(worker) && ofPeer.isEmpty()) {
            byPeer.remove(worker.peer());
        }
    }

    /** Keeps the place of a lost worker, so that it can reconnect. */
    void keepPlace(WorkerRecord worker, long now) {
        places.left(worker.id(), now);
    }

    Optional<WorkerRecord> find(String id) {
        return Optional.ofNullable(workers.get(id));
    }

    /** The worker {@code id}, if it has registered over the connection {@code peer}. */
    Optional<WorkerRecord> find(String id, long peer) {
        return find(id).filter(worker -> worker.peer() == peer);
    }

    /** Workers that have registered over a connection. */
    List<WorkerRecord> of(long peer) {
        return List.copyOf(byPeer.getOrDefault(peer, Set.of()));
    }

    /** Registered workers, in the order of their registration. */
    Collection<WorkerRecord> all() {
        return workers.values();
    }

    /** Registered workers that are not being decommissioned, in the order of their registration. */
    Collection<WorkerRecord> staying() {
        return leaving == 0
                ? all()
                : all().stream().filter(worker -> !worker.isLeaving()).toList();
    }

    /** Records that a worker is being decommissioned, so that nothing is placed on it any more. */
    void leaves(WorkerRecord worker, WorkerRecord.Departure departure) {
        if (!worker.isLeaving()) {
            free.remove(worker);
            leaving++;
            version++;
        }
        worker.leaves(departure);
    }

    /** Places nothing on a worker until {@link #resume}, for the reason {@code why}. */
    void pause(WorkerRecord worker, String why) {
        worker.hinder(why);
        free.remove(worker);
    }

    /** Ends the pause of a worker, unless it is lost or leaves. */
    void resume(WorkerRecord worker) {
        worker.hinder("");
        if (!worker.isLeaving()
                && !worker.isAway()
                && find(worker.id()).filter(worker::equals).isPresent()) {
            free.add(worker);
        }
    }

    /** Number of changes of the set of workers. */
    long version() {
        return version;
    }

    /** Number of registered workers that are being decommissioned. */
    int leaving() {
        return leaving;
    }

    /** Number of workers that were lost, as far as they are shown. */
    int lost() {
        return lost.size();
    }

    FreeWorkers free() {
        return free;
    }

    void heard(WorkerRecord worker, long now) {
        worker.heartbeat(now);
        byHeartbeat.remove(worker.id());
        byHeartbeat.put(worker.id(), worker);
    }

    /**
     * Returns the workers that have been silent for longer than the timeout. If this method was not called for half the
     * timeout, the master itself was suspended. Heartbeats may then be queued, so it resets all timeouts instead.
     */
    List<WorkerRecord> silent(long now) {
        long timeout = settings.workerTimeout().toNanos();
        if (now - lastExpireNanos > timeout / 2) {
            workers.values().forEach(worker -> worker.heartbeat(now));
        }
        lastExpireNanos = now;
        List<WorkerRecord> silent = new ArrayList<>();
        Iterator<WorkerRecord> longest = byHeartbeat.values().iterator();
        while (longest.hasNext()) {
            WorkerRecord worker = longest.next();
            if (worker.silentNanos(now) <= timeout) {
                break;
            }
            silent.add(worker);
        }
        return silent;
    }

    /** All workers for display: the registered ones in order of their registration, then the lost ones. */
    List<WorkerEntry> entries(ToIntFunction<WorkerRecord> drivers, long now) {
        List<WorkerEntry> entries = new ArrayList<>();
        workers.values()
                .forEach(worker -> entries.add(worker.entry(
                        worker.isLeaving() ? WorkerEntry.State.DECOMMISSIONED : WorkerEntry.State.ALIVE,
                        drivers.applyAsInt(worker),
                        now)));
        entries.addAll(lost.entries(now));
        return entries;
    }
}
