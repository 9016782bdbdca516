package dev.hearth.engine.internal.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computation that all tasks of a stage share. The root branch consists of {@code source} and {@code steps} and ends in
 * the {@code sink}. Sources can also read the other {@code branches}, to which they refer by their indices in that
 * list. Immutable.
 */
public record Pipeline(
        Source source, List<Step> steps, Sink sink, Map<String, String> properties, List<Branch> branches) {
    public Pipeline {
        steps = List.copyOf(steps);
        branches = List.copyOf(branches);
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** Creates a pipeline that has the root branch only: its source reads no other branches. */
    public Pipeline(Source source, List<Step> steps, Sink sink, Map<String, String> properties) {
        this(source, steps, sink, properties, List.of());
    }

    /**
     * Whether the result depends on the order of elements. That is so if a step or the sink is order sensitive, or if a
     * source reads other branches.
     */
    public boolean isOrderSensitive() {
        return !branches.isEmpty() || sink.isOrderSensitive() || steps.stream().anyMatch(Step::isOrderSensitive);
    }

    /**
     * One branch of a pipeline: the source and the steps that compute one dataset, which another branch reads by a
     * narrow dependency.
     */
    public record Branch(Source source, List<Step> steps) {
        public Branch {
            steps = List.copyOf(steps);
        }
    }
}
