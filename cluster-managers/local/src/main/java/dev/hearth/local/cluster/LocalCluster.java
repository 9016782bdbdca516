package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.RestartBackoff;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildExit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which executors one application has on this machine. A state machine: events come in by its methods, time as an argument,
 * {@link #effects} hands out what is to be done. Owned by {@link LocalClusterBackend}.
 * <p>Invariants: never more executors than are wanted, beside those that are ending; an id never comes back; every process
 * that was started is stopped or has ended; ends that nobody asked for are bounded, and beyond that nothing starts any more.
 */
final class LocalCluster {
    private static final long NO_WAKE = Long.MIN_VALUE;

    private final LocalClusterSettings settings;
    private final RestartBackoff pause;
    private final Map<ExecutorId, Child> children = new LinkedHashMap<>();
    private final Deque<Long> failures = new ArrayDeque<>(); // when; no more than may be
    private List<LocalClusterEffect> effects = new ArrayList<>();
    private State state = State.OPEN;
    private int wanted;
    private int made;
    private long wakeNanos = NO_WAKE;

    LocalCluster(LocalClusterSettings settings, long now) {
        this.settings = settings;
        this.pause = new RestartBackoff(now);
    }

    /** ENDING: nothing starts any more, what runs is told to end. ENDED: nothing runs. */
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
        private final long sinceNanos;
        private boolean running; // else it is on its way
        private String endingFor = ""; // what it was asked to end for, if it was

        Child(long now) {
            this.sinceNanos = now;
        }

        boolean isEnding() {
            return !endingFor.isEmpty();
        }
    }

    State state() {
        return state;
    }

    /** How many are wanted from now on; {@code total} is bounded by the master's own number. */
    void want(int total, long now) {
        wanted = Math.min(total, settings.executorsMax());
        settle(now);
    }

    void release(Set<ExecutorId> executors, String reason, long now) {
        executors.forEach(executor -> stop(executor, reason.isEmpty() ? "released" : reason));
        settle(now);
    }

    /** A process is there. */
    void started(ExecutorId executor) {
        Child child = child(executor);
        child.running = true;
        if (child.isEnding()) {
            effects.add(new LocalClusterEffect.Stop(executor));
        }
    }

    /** A process is gone, or never came to be; {@code logs} are what it wrote. */
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

    /** Time has passed. */
    void wake(long now) {
        wakeNanos = NO_WAKE;
        settle(now);
    }

    /** Nothing is wanted any more, for good. */
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

    /** Starts what is missing, or asks to be woken when it may; ends when the last is gone. */
    private void settle(long now) {
        if (state != State.OPEN) {
            close();
            return;
        }
        long lasting =
                children.values().stream().filter(child -> !child.isEnding()).count();
        long missing = wanted - lasting;
        if (missing <= 0) {
            return;
        }
        if (!pause.remaining(now).isZero()) {
            wakeAfterPause(now);
            return;
        }
        for (long i = 0; i < missing; i++) {
            ExecutorId executor = new ExecutorId(String.valueOf(made++));
            children.put(executor, new Child(now));
            effects.add(new LocalClusterEffect.Start(executor));
        }
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
            effects.add(
                    new LocalClusterEffect.GiveUp(failures.size() + " executors ended" + span + " without being told to"
                            + " (expected: fewer than hearth.executor.maxNumFailures = " + settings.failuresMax()
                            + "), the last one: " + why));
            close();
        }
    }

    private Child child(ExecutorId executor) {
        Child child = children.get(executor);
        if (child == null) {
            throw new IllegalStateException("executor " + executor + ": not known (expected: one that was begun)");
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
