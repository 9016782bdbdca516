package dev.hearth.engine.internal.driver;

import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which executors a driver may use. A state machine: time arrives as an argument, nothing blocks, nothing is sent; owned by
 * {@link Driver}. Per executor: unknown, begun once its cluster says so, RUNNING, LEAVING once it is decommissioned, GONE for ever.
 * <p>Invariants: an id is live, RUNNING or LEAVING, on one connection at most; an id that is gone never becomes live again; one that
 * is begun, live or gone is not more than one of these.
 */
final class ExecutorRegistry {
    /** In-process executors have no connection and are never silent. */
    static final long NO_PEER = -1;

    private static final int GONE_REMEMBERED_MAX = 10_000;

    private final long timeoutNanos;
    private final long startTimeoutNanos;
    private final int executorsMax;
    private final Map<ExecutorId, Live> live = new LinkedHashMap<>();
    private final Map<Long, ExecutorId> byPeer = new LinkedHashMap<>(); // the live ones with a connection
    private final Map<ExecutorId, Long> begun = new LinkedHashMap<>(); // when; those that are yet to register
    private final Set<ExecutorId> gone = new LinkedHashSet<>();
    private boolean lookedOnce;
    private long lookedNanos;

    /** {@code timeout} is how long one may be silent, {@code startTimeout} how long until one that was begun registers. */
    ExecutorRegistry(Duration timeout, Duration startTimeout, int executorsMax) {
        this.timeoutNanos = timeout.toNanos();
        this.startTimeoutNanos = startTimeout.toNanos();
        this.executorsMax = executorsMax;
    }

    private static final class Live {
        private final long peer;
        private long heardNanos;
        private boolean leaving;

        Live(long peer, long heardNanos) {
            this.peer = peer;
            this.heardNanos = heardNanos;
        }
    }

    /** What becomes of a registration. */
    enum Admission {
        ADMITTED,
        /** A repetition over the same connection. */
        KNOWN,
        /** Somebody else has this id. */
        DUPLICATE,
        /** The id was given up before. */
        GONE,
        FULL
    }

    /** Notes that a cluster has begun to start an executor; its word may come behind the executor's own, or too late. */
    void begin(ExecutorId executor, long now) {
        if (begun.size() < executorsMax && !live.containsKey(executor) && !gone.contains(executor)) {
            begun.put(executor, now);
        }
    }

    /** How long one that comes now took from there; zero where that is not known. To be asked before it registers. */
    Duration tookToCome(ExecutorId executor, long now) {
        Long since = begun.get(executor);
        return Duration.ofNanos(since == null ? 0 : now - since);
    }

    Admission register(ExecutorId executor, long peer, long now) {
        Live known = live.get(executor);
        if (known != null) {
            return known.peer == peer ? Admission.KNOWN : Admission.DUPLICATE;
        }
        if (gone.contains(executor)) {
            return Admission.GONE;
        }
        if (live.size() >= executorsMax) {
            return Admission.FULL;
        }
        begun.remove(executor);
        live.put(executor, new Live(peer, now));
        if (peer != NO_PEER) {
            byPeer.putIfAbsent(peer, executor);
        }
        return Admission.ADMITTED;
    }

    /** Records a sign of life; false unless it came from a live executor over its own connection. */
    boolean heartbeat(ExecutorId executor, long peer, long now) {
        Live known = live.get(executor);
        if (known == null || known.peer != peer) {
            return false;
        }
        known.heardNanos = now;
        return true;
    }

    /** Gives an executor up, also one that never registered; tells whether it was live. */
    boolean lose(ExecutorId executor) {
        if (gone.size() >= GONE_REMEMBERED_MAX) {
            gone.remove(gone.iterator().next());
        }
        gone.add(executor);
        begun.remove(executor);
        Live lost = live.remove(executor);
        if (lost != null) {
            byPeer.remove(lost.peer, executor);
        }
        return lost != null;
    }

    /** From RUNNING to LEAVING; false when it was not running. */
    boolean leave(ExecutorId executor) {
        Live known = live.get(executor);
        if (known == null || known.leaving) {
            return false;
        }
        known.leaving = true;
        return true;
    }

    boolean isLeaving(ExecutorId executor) {
        Live known = live.get(executor);
        return known != null && known.leaving;
    }

    Optional<ExecutorId> executorOf(long peer) {
        return Optional.ofNullable(byPeer.get(peer));
    }

    boolean isLive(ExecutorId executor) {
        return live.containsKey(executor);
    }

    /**
     * Notes that the owner looks for those below. When it did not for half of the timeout, it was the one that stood still: what was
     * sent to it meanwhile is heard first, and everybody starts anew.
     */
    void look(long now) {
        boolean stoodStill = lookedOnce && now - lookedNanos > timeoutNanos / 2;
        lookedOnce = true;
        lookedNanos = now;
        if (stoodStill) {
            live.values().forEach(executor -> executor.heardNanos = now);
            begun.replaceAll((executor, since) -> now);
        }
    }

    /** The executors that were begun and have not registered in time, for the owner to give up. */
    List<ExecutorId> overdue(long now) {
        return begun.entrySet().stream()
                .filter(entry -> now - entry.getValue() > startTimeoutNanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The executors silent for longer than the timeout, for the owner to give up. */
    List<ExecutorId> silent(long now) {
        return live.entrySet().stream()
                .filter(entry -> entry.getValue().peer != NO_PEER && now - entry.getValue().heardNanos > timeoutNanos)
                .map(Map.Entry::getKey)
                .toList();
    }

    List<ExecutorId> live() {
        return List.copyOf(live.keySet());
    }
}
