package dev.hearth.yarn.internal.hadoop;

import java.time.Duration;

/**
 * Times and bounds of a line: the longest time between two beats, how long a ResourceManager that is gone is waited for,
 * and the number of threads that start containers. {@code history} is the address to which an ended application leads, or
 * empty. Immutable.
 */
public record LineSettings(Duration beat, Duration patience, int startThreads, String history) {
    /** Time between two attempts to reach a ResourceManager that is gone. */
    static final Duration RETRY = Duration.ofMillis(500);
    /** Maximum time that the end of an application takes at the ResourceManager. */
    static final Duration FINISH_BOUND = Duration.ofSeconds(6);

    public LineSettings {
        if (beat.isNegative() || beat.isZero() || startThreads < 1) {
            throw new IllegalArgumentException(
                    "line: beat " + beat + ", " + startThreads + " threads (expected: more than 0 of both)");
        }
    }
}
