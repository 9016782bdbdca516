package dev.hearth.kubernetes.internal.api;

import java.util.List;

/**
 * State of a claim of a volume. {@code storageClass} is empty if it has none; {@code size} is the quantity that it requests.
 * Immutable.
 */
public record ClaimFacts(String storageClass, List<String> modes, String size, boolean deleting) {
    public ClaimFacts {
        modes = List.copyOf(modes);
    }
}
