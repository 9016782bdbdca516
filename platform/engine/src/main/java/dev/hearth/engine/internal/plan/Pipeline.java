package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.serial.Capture;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all tasks of a stage share: where elements come from, what happens to them, what becomes of them. Immutable. */
public record Pipeline(Source source, List<Step> steps, Sink sink, Map<String, String> properties) {
    public Pipeline {
        steps = List.copyOf(steps);
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** {@code shuffle} and {@code function} (which joins two values) are for those kinds that have them. */
    public record Source(SourceKind kind, int shuffle, Capture function) {
        public static final Source INPUT = new Source(SourceKind.INPUT, StagePlan.RESULT, Capture.NONE);
    }

    /** One transformation and the user's function. */
    public record Step(StepKind kind, Capture function) {}

    /** {@code limit} is the most elements to take, or how many partitions the shuffle has; 0 where there is none. */
    public record Sink(SinkKind kind, Capture function, int shuffle, int limit) {
        public static Sink of(SinkKind kind, Capture function) {
            return new Sink(kind, function, StagePlan.RESULT, 0);
        }
    }
}
