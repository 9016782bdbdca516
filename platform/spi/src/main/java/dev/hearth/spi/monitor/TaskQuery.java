package dev.hearth.spi.monitor;

import java.util.Set;

/** Which tasks of a stage attempt are wanted: those in one of {@code states} (all when there are none), from where, how many. */
public record TaskQuery(int offset, int length, Order order, Set<State> states) {
    public static final TaskQuery ALL = new TaskQuery(0, Integer.MAX_VALUE, Order.ID, Set.of());

    public TaskQuery {
        if (offset < 0 || length < 0) {
            throw new IllegalArgumentException(
                    "tasks: " + length + " from " + offset + " on (expected: neither below 0)");
        }
        states = Set.copyOf(states);
    }

    /** In which order tasks are listed. */
    public enum Order {
        ID,
        INCREASING_RUNTIME,
        DECREASING_RUNTIME
    }

    /** Where an attempt at a task stands. */
    public enum State {
        RUNNING,
        SUCCEEDED,
        FAILED,
        KILLED
    }
}
