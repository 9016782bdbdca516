package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What all tasks of a stage share: where elements come from, what happens to them, what becomes of them. Immutable.
 * {@code branches} are what sources of this stage read in place of shuffles and files; they name one another by their places.
 */
public record Pipeline(
        Source source, List<Step> steps, Sink sink, Map<String, String> properties, List<Branch> branches) {
    public Pipeline {
        steps = List.copyOf(steps);
        branches = List.copyOf(branches);
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** Of a stage whose source reads no other. */
    public Pipeline(Source source, List<Step> steps, Sink sink, Map<String, String> properties) {
        this(source, steps, sink, properties, List.of());
    }

    /**
     * Whether anybody can tell in which order elements come: a step that takes a partition as a whole or keeps it, others that read
     * it beside another one, the sink or who reads that.
     */
    public boolean tellsOrder() {
        return !branches.isEmpty()
                || sink.kind().tellsOrder()
                || steps.stream().anyMatch(step -> step.kind().tellsOrder());
    }

    /** A dataset that others of the same stage are made of, without the sink. */
    public record Branch(Source source, List<Step> steps) {
        public Branch {
            steps = List.copyOf(steps);
        }
    }

    /**
     * {@code shuffles} are those that it reads, {@code parts} what it reads of branches. {@code function} joins values, or is a {@link java.util.Comparator} of keys for
     * {@link SourceKind#SORTED}, none for their own order; {@code descending} turns that round.
     */
    public record Source(
            SourceKind kind,
            List<Integer> shuffles,
            CapturedFunction function,
            boolean descending,
            NarrowDependencies parts) {
        public static final Source INPUT = of(SourceKind.INPUT);

        /** One that reads no branches. */
        public Source(SourceKind kind, List<Integer> shuffles, CapturedFunction function, boolean descending) {
            this(kind, shuffles, function, descending, NarrowDependencies.NONE);
        }

        public Source {
            shuffles = List.copyOf(shuffles);
        }

        /** Of a kind that reads no shuffle. */
        public static Source of(SourceKind kind) {
            return new Source(kind, List.of(), CapturedFunction.NONE, false);
        }

        /** Reads one shuffle. */
        public static Source of(SourceKind kind, int shuffle, CapturedFunction function) {
            return new Source(kind, List.of(shuffle), function, false);
        }
    }

    /** One transformation and the user's function; {@code keeping} is for {@link StepKind#KEEP}. */
    public record Step(StepKind kind, CapturedFunction function, Keeping keeping) {
        public Step(StepKind kind, CapturedFunction function) {
            this(kind, function, Keeping.NOTHING);
        }
    }

    /**
     * {@code limit} is the most elements to take, or how many partitions the shuffle has; 0 where there is none. Keys go to
     * readers by {@code partitioner}, a {@link dev.hearth.api.Partitioner}; where that is none, by their hash codes.
     */
    public record Sink(
            SinkKind kind,
            CapturedFunction function,
            int shuffle,
            int limit,
            CapturedFunction partitioner,
            FileOutput output) {
        public Sink(SinkKind kind, CapturedFunction function, int shuffle, int limit) {
            this(kind, function, shuffle, limit, CapturedFunction.NONE, FileOutput.NOWHERE);
        }

        public static Sink of(SinkKind kind, CapturedFunction function) {
            return new Sink(kind, function, StagePlan.RESULT, 0);
        }
    }
}
