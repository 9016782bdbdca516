package dev.hearth.api.event;

/**
 * A task attempt: its ids, executor, locality and start. {@code launchedMillis} is the time at which the attempt got a
 * core of its executor, as far as the driver knows. For an attempt that never got a core, it is the time at which the
 * attempt was sent to the executor. Immutable.
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
