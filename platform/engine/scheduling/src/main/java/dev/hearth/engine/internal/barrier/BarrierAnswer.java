package dev.hearth.engine.internal.barrier;

import dev.hearth.api.HearthException;
import java.util.List;

/**
 * Answer to the {@link BarrierCall} of a task, identified by the number of its {@code request}. Each call gets exactly
 * one answer.
 */
public sealed interface BarrierAnswer {
    long request();

    /**
     * All tasks entered the barrier. For an all-gather, {@code messages} has the messages of all tasks in partition
     * order; otherwise it is empty.
     */
    record Released(long request, List<String> messages) implements BarrierAnswer {
        public Released {
            messages = List.copyOf(messages);
        }
    }

    /**
     * The barrier failed with {@code failure}. Every other barrier call of the same stage attempt fails with the same
     * reason.
     */
    record Refused(long request, HearthException failure) implements BarrierAnswer {}
}
