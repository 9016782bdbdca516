package dev.hearth.engine.internal.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Computation that all tasks of a stage share: the root branch ({@code source} and {@code steps}), the {@code sink} at
 * its end, and the other {@code branches}, which sources of this stage read. Sources refer to branches by their indices
 * in that list. Immutable.
 */
public record Pipeline(
        Source source, List<Step> steps, Sink sink, Map<String, String> properties, List<Branch> branches) {
    public Pipeline {
        steps = List.copyOf(steps);
        branches = List.copyOf(branches);
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }

    /** A pipeline with the root branch only. */
    public Pipeline(Source source, List<Step> steps, Sink sink, Map<String, String> properties) {
        this(source, steps, sink, properties, List.of());
    }

    /**
     * Whether the result depends on the order of elements: a step sees or caches the whole partition, the sink is order
     * sensitive, or a source reads other branches.
     */
    public boolean isOrderSensitive() {
        return !branches.isEmpty() || sink.isOrderSensitive() || steps.stream().anyMatch(Step::isOrderSensitive);
    }

    /** Source and steps of one dataset that other branches of the stage read. */
    public record Branch(Source source, List<Step> steps) {
        public Branch {
            steps = List.copyOf(steps);
        }
    }
}
