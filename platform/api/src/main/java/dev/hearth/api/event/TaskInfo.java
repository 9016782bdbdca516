package dev.hearth.api.event;

/** One attempt at a task: which, where, and how near its data. */
public record TaskInfo(
        long task,
        int stage,
        int stageAttempt,
        int partition,
        int attempt,
        String executor,
        String host,
        Locality locality,
        boolean speculative,
        long launchedMillis) {}
