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

    /**
     * {@code shuffles} are those that it reads. {@code function} joins values, or is a {@link java.util.Comparator} of keys for
     * {@link SourceKind#SORTED}, none for their own order; {@code descending} turns that round.
     */
    public record Source(SourceKind kind, List<Integer> shuffles, Capture function, boolean descending) {
        public static final Source INPUT = of(SourceKind.INPUT);

        public Source {
            shuffles = List.copyOf(shuffles);
        }

        /** Of a kind that reads no shuffle. */
        public static Source of(SourceKind kind) {
            return new Source(kind, List.of(), Capture.NONE, false);
        }

        /** Reads one shuffle. */
        public static Source of(SourceKind kind, int shuffle, Capture function) {
            return new Source(kind, List.of(shuffle), function, false);
        }
    }

    /** One transformation and the user's function; {@code keeping} is for {@link StepKind#KEEP}. */
    public record Step(StepKind kind, Capture function, Keeping keeping) {
        public Step(StepKind kind, Capture function) {
            this(kind, function, Keeping.NOTHING);
        }
    }

    /**
     * {@code limit} is the most elements to take, or how many partitions the shuffle has; 0 where there is none. Keys go to
     * readers by {@code partitioner}, a {@link dev.hearth.api.Partitioner}; where that is none, by their hash codes.
     */
    public record Sink(
            SinkKind kind, Capture function, int shuffle, int limit, Capture partitioner, FileOutput output) {
        public Sink(SinkKind kind, Capture function, int shuffle, int limit) {
            this(kind, function, shuffle, limit, Capture.NONE, FileOutput.NOWHERE);
        }

        public static Sink of(SinkKind kind, Capture function) {
            return new Sink(kind, function, StagePlan.RESULT, 0);
        }
    }
}
