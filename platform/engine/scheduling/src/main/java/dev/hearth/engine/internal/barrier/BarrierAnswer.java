package dev.hearth.engine.internal.barrier;

import dev.hearth.api.HearthException;
import java.util.List;

/** The one answer to a {@link BarrierCall}. */
public sealed interface BarrierAnswer {
    long request();

    /** All were here; {@code messages} by partition when they gathered, none otherwise. */
    record Released(long request, List<String> messages) implements BarrierAnswer {
        public Released {
            messages = List.copyOf(messages);
        }
    }

    record Refused(long request, HearthException failure) implements BarrierAnswer {}
}
