package dev.hearth.api.event;

/**
 * A task attempt: its ids, executor, locality and start. It starts when a core of its executor begins it, as far as the driver
 * knows; an attempt that ended without a start has the time at which it was sent to its executor. Immutable.
 */
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
