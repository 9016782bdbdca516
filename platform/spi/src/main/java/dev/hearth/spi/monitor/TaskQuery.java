package dev.hearth.spi.monitor;

import java.util.Set;

/**
 * Filter and page limits for listing the task attempts of a stage attempt. An empty {@code states} matches all states.
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

    /** Sort order of tasks. */
    public enum Order {
        ID,
        INCREASING_RUNTIME,
        DECREASING_RUNTIME
    }

    /** State of a task attempt. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED,
        KILLED
    }
}
