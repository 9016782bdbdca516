package dev.hearth.spi.monitor;

import java.util.Set;

/**
 * Query that lists task attempts of one stage attempt: those in {@code states} (all if it is empty), sorted by {@code
 * order}, from number {@code offset} on, at most {@code length}.
 */
public record TaskQuery(int offset, int length, Order order, Set<State> states) {
    public static final TaskQuery ALL = new TaskQuery(0, Integer.MAX_VALUE, Order.ID, Set.of());

    public TaskQuery {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "tasks: " + length + " from " + offset + " on (expected: neither below 0)");
        }
        states = Set.copyOf(states);
    }

    /** Sort order of the listed task attempts: by id or by run time. */
    public enum Order {
        ID,
        INCREASING_RUNTIME,
        DECREASING_RUNTIME
    }

    /** State of a task attempt, by which the listed attempts are filtered. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED,
        KILLED
    }
}
