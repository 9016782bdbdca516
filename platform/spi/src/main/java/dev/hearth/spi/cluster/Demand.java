package dev.hearth.spi.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Total number of executors of one profile that an application requests, and the number of pending tasks that prefer
 * each host. Immutable.
 */
public record Demand(int executors, Map<String, Integer> tasksByHost) {
    /** Demand for as many executors as the cluster can supply. */
    public static final Demand ALL = new Demand(Integer.MAX_VALUE, Map.of());

    public static final Demand NONE = new Demand(0, Map.of());

    public Demand {
        if (executors < 0) {
            throw new IllegalArgumentException("demand: " + executors + " executors (expected: 0 or more)");
        }
        tasksByHost = Collections.unmodifiableMap(new LinkedHashMap<>(tasksByHost));
    }

    public static Demand of(int executors) {
        return new Demand(executors, Map.of());
    }
}
