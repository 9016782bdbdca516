package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Application on a cluster. {@code message} says why it waits or how it ended; texts that are not known are empty, as are
 * numbers. {@code cores} are those of its executors now, or at its end. Times are in milliseconds since 1970; {@code durationMillis} is
 * the time from its submission to its end, or until now. {@code driver} is the address {@code host:port} of its driver,
 * and {@code submission} the id of that driver if the cluster runs it. {@code attributes} are further facts for display.
 *
 * <p>Immutable. Travels in messages: components and constants are added only at the end.
 */
public record ApplicationEntry(
        ApplicationId id,
        String name,
        String user,
        State state,
        String message,
        OptionalInt cores,
        OptionalLong memoryPerExecutorMebibytes,
        OptionalInt executors,
        OptionalLong submittedMillis,
        OptionalLong endedMillis,
        OptionalLong durationMillis,
        String driver,
        Optional<SubmissionId> submission,
        Map<String, String> attributes) {
    public ApplicationEntry {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** State of an application. The names are those of Spark. Readers of messages take an unknown one as UNKNOWN. */
    public enum State {
        UNKNOWN,
        WAITING,
        RUNNING,
        FINISHED,
        FAILED,
        KILLED;

        /** Whether the application has ended, so that no other state can follow. */
        public boolean isFinal() {
            return this == FINISHED || this == FAILED || this == KILLED;
        }
    }

    /** Application of which only this is known. */
    public static ApplicationEntry of(ApplicationId id, String name, State state) {
        return new ApplicationEntry(
                id,
                name,
                "",
                state,
                "",
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "",
                Optional.empty(),
                Map.of());
    }

    /** This application after its end at {@code millis}. */
    public ApplicationEntry ended(long millis) {
        return new ApplicationEntry(
                id,
                name,
                user,
                state,
                message,
                cores,
                memoryPerExecutorMebibytes,
                executors,
                submittedMillis,
                OptionalLong.of(millis),
                durationMillis,
                driver,
                submission,
                attributes);
    }
}
