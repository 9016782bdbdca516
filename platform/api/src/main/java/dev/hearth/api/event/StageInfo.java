package dev.hearth.api.event;

import java.util.List;

/**
 * A stage attempt, as known when it is submitted. {@code shuffle} is the id of the shuffle that the stage writes, or -1
 * for a result stage; {@code profile} is the id of its resource profile. Immutable.
 */
public record StageInfo(
        int stage,
        int attempt,
        String name,
        String details,
        int tasks,
        List<Integer> parents,
        List<Integer> datasets,
        int shuffle,
        boolean barrier,
        String pool,
        int profile) {
    public StageInfo {
        parents = List.copyOf(parents);
        datasets = List.copyOf(datasets);
    }
}
