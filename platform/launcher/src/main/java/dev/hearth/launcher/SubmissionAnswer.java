package dev.hearth.launcher;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Answer of a cluster about a submission. {@code word} is the state of its driver, in the words of Spark's master. */
record SubmissionAnswer(String word, String message, OptionalInt exitStatus, Map<String, String> links) {
    /** The state of the application; empty if the answer does not say it. */
    Optional<LaunchState> state() {
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "SUBMITTED", "RELAUNCHING", "QUEUED" -> Optional.of(LaunchState.SUBMITTED);
            case "RUNNING" -> Optional.of(LaunchState.RUNNING);
            case "FINISHED" -> Optional.of(LaunchState.FINISHED);
            case "FAILED", "ERROR" -> Optional.of(LaunchState.FAILED);
            case "KILLED" -> Optional.of(LaunchState.KILLED);
            default -> Optional.empty();
        };
    }
}
