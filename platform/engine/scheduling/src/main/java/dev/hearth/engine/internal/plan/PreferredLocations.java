package dev.hearth.engine.internal.plan;

import java.util.List;

/**
 * Preferred locations of the tasks of a stage, by partition. A location is a host name, or {@code executor_HOST_ID} for
 * one executor on a host. Runs no user code.
 */
@FunctionalInterface
public interface PreferredLocations {
    PreferredLocations ANYWHERE = partition -> List.of();

    List<String> preferred(int partition);
}
