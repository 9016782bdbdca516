package dev.hearth.spi.cluster;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Executor of an application, as the cluster knows it. {@code worker} is the id of its worker, and {@code host} the name
 * of its machine. {@code message} says how it ended. {@code logs} maps names of logs, such as {@code stdout}, to their
 * addresses. Times are in milliseconds since 1970. Texts and numbers that are not known are empty.
 *
 * <p>Immutable. Travels in messages: components and constants are added only at the end.
 */
public record ExecutorEntry(
        ApplicationId application,
        ExecutorId id,
        String worker,
        String host,
        State state,
        String message,
        OptionalInt cores,
        OptionalLong memoryMebibytes,
        List<ResourceInformation> resources,
        OptionalLong startedMillis,
        OptionalLong endedMillis,
        OptionalInt exitStatus,
        Map<String, String> logs,
        Map<String, String> attributes) {
    public ExecutorEntry {
        resources = List.copyOf(resources);
        logs = Collections.unmodifiableMap(new TreeMap<>(logs));
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /**
     * State of an executor. The names are those of Spark. KILLED is one that was stopped because its application ended
     * or released it, EXITED one that ended by itself, LOST one whose worker is lost. Readers of messages take an unknown
     * constant as UNKNOWN.
     */
    public enum State {
        UNKNOWN,
        LAUNCHING,
        RUNNING,
        KILLED,
        FAILED,
        LOST,
        EXITED,
        DECOMMISSIONED;

        /** Whether the executor has ended. */
        public boolean isFinal() {
            return this == KILLED || this == FAILED || this == LOST || this == EXITED;
        }
    }

    /** Executor of which only this is known. */
    public static ExecutorEntry of(ApplicationId application, ExecutorId id, String host, State state) {
        return new ExecutorEntry(
                application,
                id,
                "",
                host,
                state,
                "",
                OptionalInt.empty(),
                OptionalLong.empty(),
                List.of(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                Map.of(),
                Map.of());
    }

    /** This executor after its end at {@code millis}, for the reason {@code why}. */
    public ExecutorEntry ended(long millis, String why) {
        return with(why, OptionalLong.of(millis), exitStatus);
    }

    /** This executor after its process has exited as {@code why} says. */
    public ExecutorEntry exited(OptionalInt status, String why) {
        return with(why, endedMillis, status);
    }

    private ExecutorEntry with(String why, OptionalLong end, OptionalInt status) {
        return new ExecutorEntry(
                application,
                id,
                worker,
                host,
                state,
                why,
                cores,
                memoryMebibytes,
                resources,
                startedMillis,
                end,
                status,
                logs,
                attributes);
    }
}
