package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.HostChange;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Containers that are to go: those that YARN announces to take away, by preemption or with their node, and those that the
 * driver has released, which get a moment to end by themselves. Owned by {@link Allocator}.
 */
final class Departures {
    /** Time between the release of an executor that runs and that of its container. Its driver stops it after 1 s. */
    static final Duration RELEASE_DELAY = Duration.ofSeconds(2);
    /** Time for a start that a new line may not know of. */
    static final Duration START_KNOWN_WITHIN = Duration.ofSeconds(60);

    private static final int GONE_MAX = 10_000;
    private static final String PREEMPTION = "YARN preempts the container";

    private final ContainerTable table;
    private final Duration notice;
    private final Consumer<AllocationEffect> effects;
    private final Deque<Deadline> releases = new ArrayDeque<>(); // in the order of their ends, as each takes as long
    private final Deque<Deadline> unsureStarts = new ArrayDeque<>();
    private final Map<HeldContainer, Long> preempted = new LinkedHashMap<>(); // by the ends of their notices
    private final Set<String> gone = new LinkedHashSet<>(); // hosts whose nodes are lost
    private final Map<String, Optional<Long>> decommissioning = new LinkedHashMap<>(); // host -> end, if known

    private record Deadline(HeldContainer container, long nanos) {}

    Departures(ContainerTable table, Duration notice, Consumer<AllocationEffect> effects) {
        this.table = table;
        this.notice = notice;
        this.effects = effects;
    }

    boolean isDecommissioning(String host) {
        return decommissioning.containsKey(host);
    }

    /** Hosts whose nodes the ResourceManager has reported as lost; at most {@link #GONE_MAX}. */
    Set<String> gone() {
        return Collections.unmodifiableSet(gone);
    }

    void release(HeldContainer container, long now) {
        releases.addLast(new Deadline(container, now + RELEASE_DELAY.toNanos()));
    }

    /** The start of this container may be lost with the line that had the order. */
    void doubtStart(HeldContainer container, long now) {
        unsureStarts.addLast(new Deadline(container, now + START_KNOWN_WITHIN.toNanos()));
    }

    /** The next container whose release is due; null if none is. */
    @Nullable
    HeldContainer nextRelease(long now) {
        return next(releases, ContainerState.LEAVING, now);
    }

    /** The next container that has not started in time; null if none is left. */
    @Nullable
    HeldContainer nextLostStart(long now) {
        return next(unsureStarts, ContainerState.STARTING, now);
    }

    /** Nanoseconds until one of them is due, or a notice is over; the largest number if none will be. */
    long remaining(long now) {
        long next = Long.MAX_VALUE;
        for (Deque<Deadline> deadlines : List.of(releases, unsureStarts)) {
            Deadline first = deadlines.peekFirst();
            next = first == null ? next : Math.min(next, Math.max(0, first.nanos - now));
        }
        for (long end : preempted.values()) {
            return Math.min(next, Math.max(0, end - now)); // the first one is the earliest
        }
        return next;
    }

    private static @Nullable HeldContainer next(Deque<Deadline> deadlines, ContainerState expected, long now) {
        while (!deadlines.isEmpty()) {
            Deadline first = deadlines.getFirst();
            boolean open = first.container.state == expected;
            if (open && now - first.nanos < 0) {
                return null;
            }
            deadlines.removeFirst();
            if (open) {
                return first.container;
            }
        }
        return null;
    }

    /**
     * Handles a notice. The capacity scheduler sends each name once, the fair one with each report; neither withdraws one.
     * A container that still runs after twice the time of the notice stays: then schedulers have forgotten it, too.
     */
    void noticed(PreemptionNotice named, long now) {
        named.strict().forEach(id -> preempt(id, now));
        named.negotiable().forEach(id -> preempt(id, now));
    }

    private void preempt(String id, long now) {
        HeldContainer container = table.find(id);
        if (container != null && container.state.isHeld()) {
            boolean isNew = preempted.remove(container) == null;
            preempted.put(container, now + 2 * notice.toNanos()); // last, as each takes as long
            container.preempted = true;
            if (isNew) {
                leave(container, PREEMPTION, Optional.of(notice));
            }
        }
    }

    /** Lets containers stay whose notices are over. */
    void expireNotices(long now) {
        Iterator<Map.Entry<HeldContainer, Long>> oldest = preempted.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<HeldContainer, Long> each = oldest.next();
            HeldContainer container = each.getKey();
            if (container.state.isHeld() && now - each.getValue() < 0) {
                return;
            }
            oldest.remove();
            container.preempted = false;
            stay(container);
        }
    }

    void changed(HostChange change, long now) {
        String host = change.host();
        switch (change.state()) {
            case DECOMMISSIONING -> {
                Optional<Long> end = change.timeoutSeconds().isPresent()
                        ? Optional.of(now
                                + Duration.ofSeconds(change.timeoutSeconds().getAsInt())
                                        .toNanos())
                        : Optional.empty();
                boolean isNew = decommissioning.put(host, end) == null;
                for (HeldContainer container : table.on(host)) {
                    if (isNew && container.state.isHeld()) {
                        leave(container, decommissioned(host), within(end, now));
                    }
                }
            }
            case USABLE -> {
                gone.remove(host);
                decommissioning.remove(host);
                table.on(host).forEach(this::stay);
            }
            case GONE -> {
                decommissioning.remove(host); // its containers are reported as ended
                if (gone.size() < GONE_MAX) {
                    gone.add(host);
                }
            }
        }
    }

    /** Announces the end of an executor that starts on a node that is being decommissioned. */
    void started(HeldContainer container, long now) {
        Optional<Long> end = decommissioning.get(container.granted.host());
        if (end != null) {
            leave(container, decommissioned(container.granted.host()), within(end, now));
        }
    }

    private static Optional<Duration> within(Optional<Long> end, long now) {
        return end.map(nanos -> Duration.ofNanos(Math.max(0, nanos - now)));
    }

    private static String decommissioned(String host) {
        return "YARN decommissions the node " + host;
    }

    private void leave(HeldContainer container, String reason, Optional<Duration> within) {
        container.leavingReported = true;
        effects.accept(new AllocationEffect.Leaving(container.pool.key.context(), container.executor, reason, within));
    }

    private void stay(HeldContainer container) {
        boolean goes = container.preempted || decommissioning.containsKey(container.granted.host());
        if (container.leavingReported && !goes && container.state.isHeld()) {
            container.leavingReported = false;
            effects.accept(new AllocationEffect.Staying(container.pool.key.context(), container.executor));
        }
    }
}
