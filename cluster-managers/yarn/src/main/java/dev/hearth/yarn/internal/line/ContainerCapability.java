package dev.hearth.yarn.internal.line;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * Size of a container: memory in MiB, virtual cores, and amounts of other resource types, such as {@code yarn.io/gpu}.
 * Immutable.
 */
public record ContainerCapability(long memoryMebibytes, int cores, Map<String, Long> resources) {
    public static final ContainerCapability NONE = new ContainerCapability(0, 0, Map.of());

    public ContainerCapability {
        resources = Collections.unmodifiableMap(new TreeMap<>(resources));
    }

    /** Whether a container of this size can serve a request for {@code wanted}: YARN rounds sizes up. */
    public boolean covers(ContainerCapability wanted) {
        return memoryMebibytes >= wanted.memoryMebibytes
                && cores >= wanted.cores
                && wanted.resources.entrySet().stream()
                        .allMatch(entry -> resources.getOrDefault(entry.getKey(), 0L) >= entry.getValue());
    }
}
