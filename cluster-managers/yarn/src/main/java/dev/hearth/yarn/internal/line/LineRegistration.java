package dev.hearth.yarn.internal.line;

import java.util.List;

/**
 * Answer to a registration. {@code maximum} is the largest container of the cluster; {@code previous} are containers of
 * earlier attempts, or of this one before the ResourceManager restarted, that are still alive. {@code attempt} counts from
 * 1. Immutable.
 */
public record LineRegistration(
        ContainerCapability maximum, List<GrantedContainer> previous, String queue, int attempt) {
    public LineRegistration {
        previous = List.copyOf(previous);
    }
}
