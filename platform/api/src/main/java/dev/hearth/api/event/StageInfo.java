package dev.hearth.api.event;

import java.util.List;

/** One attempt at a stage as it was planned. {@code shuffle} is what it writes, -1 for the stage that makes a job's result. */
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
        String pool) {
    public StageInfo {
        parents = List.copyOf(parents);
        datasets = List.copyOf(datasets);
    }
}
