package dev.hearth.kernel.internal.process;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Decides which processes are prestarted and when they end. A state machine: time is an argument, in nanoseconds. {@link
 * PrestartedProcesses} owns it. {@code S} describes a start; two processes with equal descriptions are interchangeable.
 * <p>Invariants: at most one process of each role is waiting; a process is handed to at most one child; a process waits
 * for at most the timeout, counted from its own start; a process that ended by itself is not replaced before a child of
 * its role starts again.
 */
final class PrestartPlan<S> {
    private final long quietNanos;
    private final long timeoutNanos;
    private final Map<String, Slot<S>> slots = new LinkedHashMap<>(); // by role
    private List<Action<S>> actions = new ArrayList<>();

    /**
     * A process is started {@code quietNanos} after the last child of its role, or once a child has ended, so that it
     * does not slow down the start of that child. It ends after {@code timeoutNanos}.
     */
    PrestartPlan(long quietNanos, long timeoutNanos) {
        this.quietNanos = quietNanos;
        this.timeoutNanos = timeoutNanos;
    }

    /** State of one role: no process, one that is to start at a time, or one that waits until a time. */
    private enum State {
        NONE,
        DUE,
        WAITING;

        boolean leadsTo(State next) {
            return successors().contains(next);
        }

        private Set<State> successors() {
            return switch (this) {
                case NONE, DUE -> EnumSet.allOf(State.class);
                case WAITING -> EnumSet.of(NONE, DUE);
            };
        }
    }

    private static final class Slot<S> {
        private State state = State.NONE;
        private S start;
        private long at;

        Slot(S start) {
            this.start = start;
        }

        void move(State next, long time) {
            if (!state.leadsTo(next)) {
                throw new IllegalStateException("prestarted process: from " + state + " to " + next);
            }
            state = next;
            at = time;
        }
    }

    /** An order to the owner: start a process of that description, or end the one that waits. */
    record Action<S>(String role, Optional<S> start) {}

    /**
     * Handles the start of a child. Returns whether the waiting process of {@code role} becomes that child; it is the
     * caller's then. A waiting process of another description ends, because the next child probably resembles this one.
     */
    boolean childStarts(String role, S start, long now) {
        Slot<S> slot = slots.computeIfAbsent(role, any -> new Slot<>(start));
        boolean takes = slot.state == State.WAITING && slot.start.equals(start);
        if (slot.state == State.WAITING && !takes) {
            actions.add(new Action<>(role, Optional.empty()));
        }
        slot.start = start;
        slot.move(State.DUE, now + quietNanos);
        return takes;
    }

    /** Handles the end of a child, which frees the time of a processor. */
    void childEnded(String role, long now) {
        Slot<S> slot = slots.get(role);
        if (slot != null && slot.state == State.DUE && slot.at - now > 0) {
            slot.move(State.DUE, now);
        }
    }

    /** Handles that the waiting process of {@code role} has ended by itself, or could not be started. */
    void lost(String role) {
        Slot<S> slot = slots.get(role);
        if (slot != null && slot.state == State.WAITING) {
            slot.move(State.NONE, 0);
        }
    }

    /** Handles that time has passed. */
    void passed(long now) {
        slots.forEach((role, slot) -> {
            if (slot.state == State.DUE && slot.at - now <= 0) {
                slot.move(State.WAITING, now + timeoutNanos);
                actions.add(new Action<>(role, Optional.of(slot.start)));
            } else if (slot.state == State.WAITING && slot.at - now <= 0) {
                slot.move(State.NONE, 0);
                actions.add(new Action<>(role, Optional.empty()));
            }
        });
    }

    /** Time until {@link #passed} has something to do, in nanoseconds; empty while there is nothing. */
    OptionalLong delayNanos(long now) {
        return slots.values().stream()
                .filter(slot -> slot.state != State.NONE)
                .mapToLong(slot -> Math.max(0, slot.at - now))
                .min();
    }

    /** Returns what is to be done, once. */
    List<Action<S>> actions() {
        List<Action<S>> handedOut = actions;
        actions = new ArrayList<>();
        return handedOut;
    }
}
