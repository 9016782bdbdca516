package dev.hearth.spi.cluster;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Addresses of an application on its cluster: the page on which the cluster shows it, and the logs of its driver by
 * name, such as {@code stdout}. {@code driverAttributes} describe the place where the driver runs, for example its
 * container. Immutable.
 */
public record ApplicationLinks(
        Optional<String> tracking, Map<String, String> driverLogs, Map<String, String> driverAttributes) {
    /** Links of an application about which the cluster reports none. */
    public static final ApplicationLinks NONE = new ApplicationLinks(Optional.empty(), Map.of(), Map.of());

    public ApplicationLinks {
        driverLogs = Collections.unmodifiableMap(new TreeMap<>(driverLogs));
        driverAttributes = Collections.unmodifiableMap(new TreeMap<>(driverAttributes));
    }
}
