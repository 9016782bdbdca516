package dev.hearth.spi.cluster;

import dev.hearth.api.task.ResourceInformation;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Worker of a cluster, or what corresponds to one, such as a machine that runs executors. {@code port} is 0 if it has
 * none. Missing numbers are unknown. {@code heartbeatAgeMillis} is the time since its last message. {@code executors} and
 * {@code drivers} count its processes. {@code attributes} are further facts for display, such as a rack.
 *
 * <p>Immutable. Travels in messages: components and constants are added only at the end.
 */
public record WorkerEntry(
        String id,
        String host,
        int port,
        State state,
        OptionalInt cores,
        OptionalInt coresUsed,
        OptionalLong memoryMebibytes,
        OptionalLong memoryUsedMebibytes,
        List<ResourceInformation> resources,
        List<ResourceInformation> resourcesUsed,
        OptionalLong heartbeatAgeMillis,
        OptionalInt executors,
        OptionalInt drivers,
        Map<String, String> attributes) {
    public WorkerEntry {
        resources = List.copyOf(resources);
        resourcesUsed = List.copyOf(resourcesUsed);
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
    }

    /** State of a worker. The names are those of Spark. Readers of messages take an unknown constant as UNKNOWN. */
    public enum State {
        UNKNOWN,
        ALIVE,
        DEAD,
        DECOMMISSIONED
    }

    /** Worker of which only this is known. */
    public static WorkerEntry of(String id, String host, State state) {
        return new WorkerEntry(
                id,
                host,
                0,
                state,
                OptionalInt.empty(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalLong.empty(),
                List.of(),
                List.of(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                OptionalInt.empty(),
                Map.of());
    }

    /** {@code host:port}, or the host alone if there is no port. */
    public String address() {
        return port == 0 ? host : host + ":" + port;
    }
}
