package dev.hearth.engine.internal.allocation;

import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The hosts that pending tasks prefer. {@code tasks} counts the pending tasks that prefer any host; {@code byHost}
 * counts them for each host, and a task with several preferred hosts counts for each of them. Immutable.
 */
public record PreferredHosts(int tasks, Map<String, Integer> byHost) {
    public static final PreferredHosts NONE = new PreferredHosts(0, Map.of());

    public PreferredHosts {
        byHost = Collections.unmodifiableMap(new LinkedHashMap<>(byHost));
    }

    /** The {@code hostsMax} hosts that most tasks prefer, in descending order. */
    public PreferredHosts top(int hostsMax) {
        return new PreferredHosts(
                tasks,
                byHost.entrySet().stream()
                        .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                        .limit(hostsMax)
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, Map.Entry::getValue, (one, other) -> one, LinkedHashMap::new)));
    }

    /**
     * Whether the distribution of tasks over hosts differs so much that another host might be the better place for an
     * executor: the counts of all hosts differ by at least half of their sum.
     */
    public boolean differsFrom(PreferredHosts other) {
        long distance = 0;
        for (Map.Entry<String, Integer> host : byHost.entrySet()) {
            distance += Math.abs(host.getValue() - other.byHost.getOrDefault(host.getKey(), 0));
        }
        for (Map.Entry<String, Integer> host : other.byHost.entrySet()) {
            distance += byHost.containsKey(host.getKey()) ? 0 : host.getValue();
        }
        return distance > 0 && 2 * distance >= Math.max(sum(), other.sum());
    }

    private long sum() {
        return byHost.values().stream().mapToLong(Integer::intValue).sum();
    }
}
