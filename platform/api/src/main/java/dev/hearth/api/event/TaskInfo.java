package dev.hearth.api.event;

/** A task attempt: its ids, executor and locality. Immutable. */
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
