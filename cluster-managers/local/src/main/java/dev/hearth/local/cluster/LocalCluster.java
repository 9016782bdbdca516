package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.RestartBackoff;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildExit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * State machine of the executor processes of one application on this machine. Events arrive as method calls with the
 * time; {@link #effects} returns the effects to perform. Owned by {@link LocalClusterBackend}.
 * <p>Invariants: the number of executors that are not stopping never exceeds the wanted number; an id is never reused;
 * every started process has ended or is being stopped; if too many executors have failed, none is started. Two living
 * processes never have the same share of the machine's resources, where executors request any.
 */
final class LocalCluster {
    private static final long NO_WAKE = Long.MIN_VALUE;

    private final LocalClusterSettings settings;
    private final RestartBackoff pause;
    private final Map<ExecutorId, Child> children = new LinkedHashMap<>();
    // times of the latest failures, at most failuresMax of them
    private final Deque<Long> failures = new ArrayDeque<>();
    private List<LocalClusterEffect> effects = new ArrayList<>();
    private State state = State.OPEN;
    private Map<ProfileId, Integer> wanted = Map.of(); // in the order in which executors are started
    private int created;
    private long wakeNanos = NO_WAKE;

    LocalCluster(LocalClusterSettings settings, long now) {
        this.settings = settings;
        this.pause = new RestartBackoff(now);
    }

    /**
     * State of the cluster. OPEN: executors are started as wanted. ENDING: no executor is started any more, and running
     * processes are being stopped. ENDED: all processes have ended.
     */
    enum State {
        OPEN,
        ENDING,
        ENDED;

        boolean leadsTo(State next) {
            return successors().contains(next);
        }

        private Set<State> successors() {
            return switch (this) {
                case OPEN -> EnumSet.of(ENDING);
                case ENDING -> EnumSet.of(ENDED);
                case ENDED -> EnumSet.noneOf(State.class);
            };
        }
    }

    private static final class Child {
        private final ProfileId profile;
        private final long sinceNanos;
        private final int share; // number of the share of resources that the process may use until it has ended
        private boolean running; // false while the process is still starting
        private String endingFor = ""; // reason for stopping the executor; empty unless it is being stopped

        Child(ProfileId profile, long now, int share) {
            this.profile = profile;
            this.share = share;
            this.sinceNanos = now;
        }

        boolean isEnding() {
            return !endingFor.isEmpty();
        }
    }

    State state() {
        return state;
    }

    /** Sets the wanted number of executors of the default profile alone. */
    void want(int total, long now) {
        want(Map.of(ProfileId.DEFAULT, total), now);
    }

    /**
     * Sets the wanted numbers of executors by profile. The master URL limits the number of all together; those of lower
     * ids come first.
     */
    void want(Map<ProfileId, Integer> totals, long now) {
        Map<ProfileId, Integer> ordered = new TreeMap<>(Comparator.comparingInt(ProfileId::value));
        ordered.putAll(totals);
        wanted = Collections.unmodifiableMap(ordered);
        settle(now);
    }

    void release(Set<ExecutorId> executors, String reason, long now) {
        executors.forEach(executor -> stop(executor, reason.isEmpty() ? "released" : reason));
        settle(now);
    }

    /**
     * Records that the process of {@code executor} has started, and stops it if the executor is not wanted any more.
     */
    void started(ExecutorId executor) {
        Child child = child(executor);
        child.running = true;
        if (child.isEnding()) {
            effects.add(new LocalClusterEffect.Stop(executor));
        }
    }

    /** Records that a process has ended or could not be started; {@code logs} are its log files. */
    void ended(ExecutorId executor, ChildExit end, List<String> logs, long now) {
        Child child = child(executor);
        children.remove(executor);
        if (state == State.OPEN) {
            LostExecutor.Cause cause = child.isEnding() ? LostExecutor.Cause.RELEASED : LostExecutor.Cause.FAILED;
            String reason = child.isEnding() ? child.endingFor : end.describe();
            LostExecutor why = new LostExecutor(cause, reason, end.status(), logs);
            effects.add(new LocalClusterEffect.Lost(executor, why));
            if (cause == LostExecutor.Cause.FAILED) {
                noteFailure(child, why, now);
            }
        }
        settle(now);
    }

    /**
     * Records that the delay of a {@link LocalClusterEffect.Wake} is over, so that executors whose start was delayed
     * can be started.
     */
    void wake(long now) {
        wakeNanos = NO_WAKE;
        settle(now);
    }

    /** Records that the application has ended, and stops all executors. */
    void close() {
        if (state == State.OPEN) {
            move(State.ENDING);
            List.copyOf(children.keySet()).forEach(executor -> stop(executor, "the application has ended"));
        }
        if (state == State.ENDING && children.isEmpty()) {
            move(State.ENDED);
        }
    }

    List<LocalClusterEffect> effects() {
        List<LocalClusterEffect> handedOut = effects;
        effects = new ArrayList<>();
        return handedOut;
    }

    /**
     * Starts missing executors, or requests a {@link LocalClusterEffect.Wake} after the back-off. In the state ENDING,
     * checks whether all processes have ended.
     */
    private void settle(long now) {
        if (state != State.OPEN) {
            close();
            return;
        }
        for (Map.Entry<ProfileId, Integer> total : wanted.entrySet()) {
            long missing = Math.min(total.getValue() - lasting(total.getKey()), room());
            if (missing > 0 && !pause.remaining(now).isZero()) {
                wakeAfterPause(now);
                return;
            }
            for (long i = 0; i < missing; i++) {
                ExecutorId executor = new ExecutorId(String.valueOf(created++));
                int share = freeShare();
                children.put(executor, new Child(total.getKey(), now, share));
                effects.add(new LocalClusterEffect.Start(executor, share, total.getKey()));
            }
        }
    }

    private long lasting(ProfileId profile) {
        return children.values().stream()
                .filter(child -> !child.isEnding() && child.profile.equals(profile))
                .count();
    }

    /** Number of further executors that the master URL admits. One that is being stopped still uses its share of resources. */
    private long room() {
        long present = settings.hasResources()
                ? children.size()
                : children.values().stream().filter(child -> !child.isEnding()).count();
        return settings.executorsMax() - present;
    }

    private int freeShare() {
        Set<Integer> used = children.values().stream().map(child -> child.share).collect(Collectors.toSet());
        return IntStream.iterate(0, share -> share + 1)
                .filter(share -> !used.contains(share))
                .findFirst()
                .orElseThrow();
    }

    private void wakeAfterPause(long now) {
        long due = now + pause.remaining(now).toNanos();
        if (wakeNanos == NO_WAKE || due - wakeNanos < 0) {
            wakeNanos = due;
            effects.add(new LocalClusterEffect.Wake(pause.remaining(now)));
        }
    }

    private void stop(ExecutorId executor, String reason) {
        Child child = children.get(executor);
        if (child != null && !child.isEnding()) {
            child.endingFor = reason;
            if (child.running) {
                effects.add(new LocalClusterEffect.Stop(executor));
            }
        }
    }

    private void noteFailure(Child child, LostExecutor why, long now) {
        pause.noteEnd(child.sinceNanos, now);
        settings.failuresWithin().ifPresent(within -> failures.removeIf(failed -> now - failed > within.toNanos()));
        failures.add(now);
        if (failures.size() >= settings.failuresMax()) {
            String span = settings.failuresWithin()
                    .map(within -> " within " + within.toSeconds() + " s")
                    .orElse("");
            effects.add(new LocalClusterEffect.GiveUp(Quantity.of(failures.size(), "executor") + " failed" + span
                    + " (expected: at most " + (settings.failuresMax() - 1) + ", as hearth.executor.maxNumFailures"
                    + " = " + settings.failuresMax() + "); the last executor: " + why));
            close();
        }
    }

    private Child child(ExecutorId executor) {
        Child child = children.get(executor);
        if (child == null) {
            throw new IllegalStateException(
                    "executor " + executor + ": not known (expected: an executor that this" + " cluster has started)");
        }
        return child;
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("local cluster: from " + state + " to " + next);
        }
        state = next;
    }
}
