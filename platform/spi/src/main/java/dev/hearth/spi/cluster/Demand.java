package dev.hearth.spi.cluster;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Total number of executors of one profile that an application requests, and the hosts that its pending tasks prefer.
 * {@code tasksWithHosts} counts the pending tasks that prefer any host. {@code tasksByHost} counts the pending tasks
 * that prefer each host; a task with several preferred hosts counts for each of them. It contains the {@link
 * #HOSTS_MAX} hosts that most tasks prefer, in descending order. The counts are hints: they may be a moment old, and a
 * cluster may ignore them. Immutable.
 */
public record Demand(int executors, int tasksWithHosts, Map<String, Integer> tasksByHost) {
    /** Maximum number of hosts in a demand. */
    public static final int HOSTS_MAX = 1_000;

    /** Demand for as many executors as the cluster can supply. */
    public static final Demand ALL = Demand.of(Integer.MAX_VALUE);

    public static final Demand NONE = Demand.of(0);

    public Demand {
        if (executors < 0 || tasksWithHosts < 0) {
            throw new IllegalArgumentException("demand: " + executors + " executors for " + tasksWithHosts
                    + " tasks with hosts (expected: 0 or more of each)");
        }
        if (tasksByHost.size() > HOSTS_MAX) {
            throw new IllegalArgumentException(
                    "demand: " + tasksByHost.size() + " hosts (expected: at most " + HOSTS_MAX + ")");
        }
        tasksByHost = Collections.unmodifiableMap(new LinkedHashMap<>(tasksByHost));
    }

    /** Demand for {@code executors} executors on any hosts. */
    public static Demand of(int executors) {
        return new Demand(executors, 0, Map.of());
    }

    /** The same number of executors, for {@code tasks} pending tasks that prefer the hosts in {@code byHost}. */
    public Demand preferring(int tasks, Map<String, Integer> byHost) {
        return new Demand(executors, tasks, byHost);
    }
}
