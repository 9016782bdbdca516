package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.volumes.ClaimSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Bounds and times of the executors of one application. {@code pendingMax} bounds pods that do not run yet, {@code
 * createdMax} all pods ever requested, {@code parallelMax} the requests under way. Immutable.
 */
public record AllocatorSettings(
        int pendingMax,
        int createdMax,
        int parallelMax,
        Duration idleTimeout,
        Duration runTimeout,
        Duration imageTimeout,
        Duration unsureTimeout,
        Duration deleteGrace,
        boolean deleteOnTermination,
        OptionalInt failuresMax,
        Optional<Duration> failuresValidity,
        ClaimSettings claims,
        PodRules rules) {
    /** Settings of an application that sets none. */
    public static final AllocatorSettings DEFAULTS = new AllocatorSettings(
            Integer.MAX_VALUE,
            Integer.MAX_VALUE,
            64,
            Duration.ofSeconds(60),
            Duration.ofMinutes(10),
            Duration.ofMinutes(5),
            Duration.ofMinutes(10),
            Duration.ofSeconds(5),
            true,
            OptionalInt.empty(),
            Optional.empty(),
            ClaimSettings.DEFAULTS,
            PodRules.DEFAULTS);
}
