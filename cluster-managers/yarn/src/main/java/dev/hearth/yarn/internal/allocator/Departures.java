package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.HostChange;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
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
    private final Set<HeldContainer> preempted = new LinkedHashSet<>();
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

    /** Nanoseconds until one of both is due; the largest number if none will be. */
    long remaining(long now) {
        long next = Long.MAX_VALUE;
        for (Deque<Deadline> deadlines : List.of(releases, unsureStarts)) {
            Deadline first = deadlines.peekFirst();
            next = first == null ? next : Math.min(next, Math.max(0, first.nanos - now));
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

    /** Handles the whole notice of a report: names that are new leave, and those that are not in it any more stay. */
    void noticed(PreemptionNotice named) {
        if (named.strict().isEmpty() && named.negotiable().isEmpty() && preempted.isEmpty()) {
            return;
        }
        preempted.removeIf(container -> {
            boolean over = !container.state.isHeld();
            String id = container.granted.id();
            if (!over && !named.strict().contains(id) && !named.negotiable().contains(id)) {
                container.preempted = false;
                stay(container);
                over = true;
            }
            return over;
        });
        named.strict().forEach(this::preempt);
        named.negotiable().forEach(this::preempt);
    }

    private void preempt(String id) {
        HeldContainer container = table.find(id);
        if (container != null && container.state.isHeld() && preempted.add(container)) {
            container.preempted = true;
            leave(container, PREEMPTION, Optional.of(notice));
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
