package dev.hearth.kubernetes.internal.mirror;

import java.time.Duration;

/**
 * How objects are followed: by a watch, or by lists at an {@code interval}. {@code mayPoll} says whether lists replace a
 * watch that the API server forbids. Immutable.
 */
public record MirrorSettings(boolean polls, boolean mayPoll, Duration interval) {
    /** A watch, and lists at intervals where watches are forbidden. */
    public static final MirrorSettings DEFAULTS = new MirrorSettings(false, true, Duration.ofSeconds(30));
}
