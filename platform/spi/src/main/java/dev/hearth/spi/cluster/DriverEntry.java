package dev.hearth.spi.cluster;

import dev.hearth.spi.id.SubmissionId;
import java.util.Collections;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Driver that a cluster runs, from its submission on. {@code worker} is the id of its worker, and {@code host} the name
 * of its machine. {@code message} says why it waits or how it ended. Times are in milliseconds since 1970. Texts and
 * numbers that are not known are empty. {@code attributes} are further facts for display. Immutable.
 */
public record DriverEntry(
        SubmissionId id,
        String name,
        SubmissionState state,
        String message,
        String worker,
        String host,
        String mainClass,
        OptionalInt cores,
        OptionalLong memoryMebibytes,
        OptionalLong submittedMillis,
        OptionalLong startedMillis,
        OptionalLong endedMillis,
        OptionalInt exitStatus,
        Map<String, String> attributes) {
    public DriverEntry {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** Driver of which only this is known. */
    public static DriverEntry of(SubmissionId id, SubmissionState state) {
        return new DriverEntry(
                id,
                "",
                state,
                "",
                "",
                "",
                "",
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Map.of());
    }
}
