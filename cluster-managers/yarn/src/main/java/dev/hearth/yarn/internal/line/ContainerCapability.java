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

    /**
     * Whether a grant of this size serves a request for {@code wanted}. Cores do not count: schedulers that count memory
     * alone grant one core, whatever was requested.
     */
    public boolean serves(ContainerCapability wanted) {
        boolean serves = memoryMebibytes >= wanted.memoryMebibytes;
        for (Map.Entry<String, Long> resource : wanted.resources.entrySet()) {
            serves &= resources.getOrDefault(resource.getKey(), 0L) >= resource.getValue();
        }
        return serves;
    }

    /** Whether a container of {@code wanted} fits into this size. */
    public boolean covers(ContainerCapability wanted) {
        return memoryMebibytes >= wanted.memoryMebibytes
                && cores >= wanted.cores
                && wanted.resources.entrySet().stream()
                        .allMatch(entry -> resources.getOrDefault(entry.getKey(), 0L) >= entry.getValue());
    }
}
