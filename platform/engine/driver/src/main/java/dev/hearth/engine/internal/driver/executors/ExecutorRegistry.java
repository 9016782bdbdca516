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
 * Owned by the driver's event loop. An executor is STARTING once its cluster manager reports so. From its registration
 * it is live, which means RUNNING or DECOMMISSIONING, and finally it is LOST. It returns from DECOMMISSIONING to RUNNING
 * if its cluster withdraws the notice.
 * <p>Invariants: a live id has at most one connection. A lost id never becomes live again. An id is in at most one
 * state.
 */
public final class ExecutorRegistry {
    /**
     * Stands for the connection number of executors in this process, which have no connection and send no heartbeats.
     */
    static final long NO_PEER = -1;

    private static final int LOST_REMEMBERED_MAX = 10_000;

    private final long timeoutNanos;
    private final long startTimeoutNanos;
    private final int executorsMax;
    private final Map<ExecutorId, Live> live = new LinkedHashMap<>();
    private final Map<Long, ExecutorId> byPeer = new LinkedHashMap<>(); // live executors in other processes
    private final Map<ExecutorId, Long> starting = new LinkedHashMap<>(); // executors with the time of their start
    private final Set<ExecutorId> lost = new LinkedHashSet<>();
    private boolean checkedBefore;
    private long checkedNanos;

    /**
     * {@code timeout} bounds the time without a heartbeat. {@code startTimeout} bounds the time from the start to the
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
        private boolean doubted; // since the last heartbeat

        Live(long peer, long heartbeatNanos) {
            this.peer = peer;
            this.heartbeatNanos = heartbeatNanos;
        }
    }

    /** The outcome of an executor's registration. */
    enum Admission {
        ADMITTED,
        /** The same executor has already registered over the same connection. */
        KNOWN,
        /** A different executor with this id has already registered. */
        DUPLICATE,
        /** The executor with this id was lost before, so it may not return. */
        LOST,
        FULL
    }

    /**
     * Records that the cluster manager starts an executor. Returns false if the report is ignored: the executor has
     * registered or is lost, or too many executors are starting.
     */
    boolean starting(ExecutorId executor, long now) {
        boolean room = starting.size() < executorsMax || starting.containsKey(executor);
        boolean starts = room && !live.containsKey(executor) && !lost.contains(executor);
        if (starts) {
            starting.putIfAbsent(executor, now);
        }
        return starts;
    }

    /** The time since an executor was started, read when it registers. Returns zero if its start was not reported. */
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

    /**
     * Records that a message of an executor has arrived. Returns true if the executor is live and the message came over
     * that executor's own connection.
     */
    public boolean heartbeat(ExecutorId executor, long peer, long now) {
        Live known = live.get(executor);
        if (known == null || known.peer != peer) {
            return false;
        }
        known.heartbeatNanos = now;
        known.doubted = false;
        return true;
    }

    /** The time of the last message of an executor, or 0 if it is not live. */
    public long heardNanos(ExecutorId executor) {
        Live known = live.get(executor);
        return known == null ? 0 : known.heartbeatNanos;
    }

    /** Records the loss of an executor, even if it never registered. Returns true if it was live. */
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

    /** Moves an executor from RUNNING to DECOMMISSIONING. Returns false if it was not running. */
    boolean decommission(ExecutorId executor) {
        Live known = live.get(executor);
        if (known == null || known.decommissioning) {
            return false;
        }
        known.decommissioning = true;
        return true;
    }

    /** Moves an executor from DECOMMISSIONING back to RUNNING. Returns false if it was not decommissioning. */
    boolean recommission(ExecutorId executor) {
        Live known = live.get(executor);
        if (known == null || !known.decommissioning) {
            return false;
        }
        known.decommissioning = false;
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
     * timeout ago, the driver itself was stalled. Then all timeouts start again, so that the heartbeats that wait in
     * its inbox are processed first.
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

    /** The executors that did not register in time after their start. The caller treats them as lost. */
    List<ExecutorId> overdue(long now) {
        return starting.entrySet().stream()
                .filter(entry -> now - entry.getValue() > startTimeoutNanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The executors that sent no heartbeat for longer than the timeout. The caller treats them as lost. */
    List<ExecutorId> silent(long now) {
        return live.entrySet().stream()
                .filter(entry ->
                        entry.getValue().peer != NO_PEER && now - entry.getValue().heartbeatNanos > timeoutNanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * The executors that sent no heartbeat for longer than half of the timeout and are not doubted yet. The caller asks
     * the cluster manager about them.
     */
    List<ExecutorId> doubtful(long now) {
        return live.entrySet().stream()
                .filter(entry -> !entry.getValue().doubted
                        && entry.getValue().peer != NO_PEER
                        && now - entry.getValue().heartbeatNanos > timeoutNanos / 2)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * Records that a live executor is doubted, until its next heartbeat. Returns false if it is not live, or is doubted
     * already.
     */
    boolean doubt(ExecutorId executor) {
        Live known = live.get(executor);
        if (known == null || known.doubted) {
            return false;
        }
        known.doubted = true;
        return true;
    }

    int liveCount() {
        return live.size();
    }

    public List<ExecutorId> live() {
        return List.copyOf(live.keySet());
    }
}
