package dev.hearth.engine.internal.barrier;

import dev.hearth.api.HearthException;
import java.util.List;

/** Answer to a {@link BarrierCall}. Each call gets one. */
public sealed interface BarrierAnswer {
    long request();

    /**
     * All tasks entered the barrier; {@code messages} are the messages of these tasks in partition order for an
     * all-gather, else empty.
     */
    record Released(long request, List<String> messages) implements BarrierAnswer {
        public Released {
            messages = List.copyOf(messages);
        }
    }

    /** The round failed, and so every other barrier call of this stage attempt fails too. */
    record Refused(long request, HearthException failure) implements BarrierAnswer {}
}
