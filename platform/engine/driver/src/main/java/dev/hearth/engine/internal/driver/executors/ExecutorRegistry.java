package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Registry of the executors of one driver. A state machine: the time is an argument, and no method blocks or sends.
 * Owned by the driver's loop. An executor is STARTING once its cluster manager reports so, then live, which is RUNNING
 * or DECOMMISSIONING, and finally LOST.
 * <p>Invariants: a live id has at most one connection; a lost id never becomes live again; an id is in at most one
 * state.
 */
public final class ExecutorRegistry {
    /** In place of a connection number, for executors in this process: they have no connection and no heartbeats. */
    static final long NO_PEER = -1;

    private static final int LOST_REMEMBERED_MAX = 10_000;

    private final long timeoutNanos;
    private final long startTimeoutNanos;
    private final int executorsMax;
    private final Map<ExecutorId, Live> live = new LinkedHashMap<>();
    private final Map<Long, ExecutorId> byPeer = new LinkedHashMap<>(); // live, in other processes
    private final Map<ExecutorId, Long> starting = new LinkedHashMap<>(); // with the time of the start
    private final Set<ExecutorId> lost = new LinkedHashSet<>();
    private boolean checkedBefore;
    private long checkedNanos;

    /**
     * {@code timeout} bounds the time without a heartbeat, {@code startTimeout} the time from the start to the
     * registration.
     */
    public ExecutorRegistry(Duration timeout, Duration startTimeout, int executorsMax) {
        this.timeoutNanos = timeout.toNanos();
        this.startTimeoutNanos = startTimeout.toNanos();
        this.executorsMax = executorsMax;
    }

    private static final class Live {
        private final long peer;
        private long heartbeatNanos;
        private boolean decommissioning;

        Live(long peer, long heartbeatNanos) {
            this.peer = peer;
            this.heartbeatNanos = heartbeatNanos;
        }
    }

    /** The outcome of a registration. */
    enum Admission {
        ADMITTED,
        /** The executor has registered before, over the same connection. */
        KNOWN,
        /** Another executor has this id. */
        DUPLICATE,
        /** The executor of this id was lost before. */
        LOST,
        FULL
    }

    /**
     * Records that the cluster manager starts an executor. The report may arrive after the registration, or after the
     * loss.
     */
    void starting(ExecutorId executor, long now) {
        if (starting.size() < executorsMax && !live.containsKey(executor) && !lost.contains(executor)) {
            starting.put(executor, now);
        }
    }

    /** The time since the start of an executor that is about to register; zero if the start was not reported. */
    Duration startDuration(ExecutorId executor, long now) {
        Long since = starting.get(executor);
        return Duration.ofNanos(since == null ? 0 : now - since);
    }

    Admission register(ExecutorId executor, long peer, long now) {
        Live known = live.get(executor);
        if (known != null) {
            return known.peer == peer ? Admission.KNOWN : Admission.DUPLICATE;
        }
        if (lost.contains(executor)) {
            return Admission.LOST;
        }
        if (live.size() >= executorsMax) {
            return Admission.FULL;
        }
        starting.remove(executor);
        live.put(executor, new Live(peer, now));
        if (peer != NO_PEER) {
            byPeer.putIfAbsent(peer, executor);
        }
        return Admission.ADMITTED;
    }

    /** Records that a message of an executor arrived. False unless the executor is live and used its own connection. */
    public boolean heartbeat(ExecutorId executor, long peer, long now) {
        Live known = live.get(executor);
        if (known == null || known.peer != peer) {
            return false;
        }
        known.heartbeatNanos = now;
        return true;
    }

    /** Records the loss of an executor, even of one that never registered. True if it was live. */
    boolean lose(ExecutorId executor) {
        if (lost.size() >= LOST_REMEMBERED_MAX) {
            lost.remove(lost.iterator().next());
        }
        lost.add(executor);
        starting.remove(executor);
        Live known = live.remove(executor);
        if (known != null) {
            byPeer.remove(known.peer, executor);
        }
        return known != null;
    }

    /** Moves an executor from RUNNING to DECOMMISSIONING. False if it was not running. */
    boolean decommission(ExecutorId executor) {
        Live known = live.get(executor);
        if (known == null || known.decommissioning) {
            return false;
        }
        known.decommissioning = true;
        return true;
    }

    boolean isDecommissioning(ExecutorId executor) {
        Live known = live.get(executor);
        return known != null && known.decommissioning;
    }

    public Optional<ExecutorId> executorOf(long peer) {
        return Optional.ofNullable(byPeer.get(peer));
    }

    boolean isLive(ExecutorId executor) {
        return live.containsKey(executor);
    }

    /**
     * Called before each check of {@link #overdue} and {@link #silent}. If the last check is more than half of the
     * timeout ago, the driver itself was stalled: all timeouts start again, so that heartbeats in its inbox are
     * processed first.
     */
    void checked(long now) {
        boolean stalled = checkedBefore && now - checkedNanos > timeoutNanos / 2;
        checkedBefore = true;
        checkedNanos = now;
        if (stalled) {
            live.values().forEach(executor -> executor.heartbeatNanos = now);
            starting.replaceAll((executor, since) -> now);
        }
    }

    /** The executors that have not registered in time after their start, for the owner to give up. */
    List<ExecutorId> overdue(long now) {
        return starting.entrySet().stream()
                .filter(entry -> now - entry.getValue() > startTimeoutNanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The executors without a heartbeat for longer than the timeout, for the owner to give up. */
    List<ExecutorId> silent(long now) {
        return live.entrySet().stream()
                .filter(entry ->
                        entry.getValue().peer != NO_PEER && now - entry.getValue().heartbeatNanos > timeoutNanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    public List<ExecutorId> live() {
        return List.copyOf(live.keySet());
    }
}
