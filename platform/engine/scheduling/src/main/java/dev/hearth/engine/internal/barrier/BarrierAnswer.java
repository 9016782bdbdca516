package dev.hearth.engine.internal.barrier;

import dev.hearth.api.HearthException;
import java.util.List;

/** Answer to a {@link BarrierCall}. Each call gets exactly one answer. */
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

    /** The barrier failed, and so every other barrier call of this stage attempt fails too. */
    record Refused(long request, HearthException failure) implements BarrierAnswer {}
}
