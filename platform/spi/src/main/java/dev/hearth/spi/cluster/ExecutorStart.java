package dev.hearth.spi.cluster;

import dev.hearth.spi.id.ExecutorId;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Start of an executor, as its cluster manager reports it. {@code host} is the name by which tasks prefer hosts.
 * {@code rack} is the rack of that host, if the cluster knows it. {@code attributes} describe the executor, for example
 * its container and its user; pages and event logs contain them. {@code logs} maps names of logs, such as {@code
 * stdout}, to their addresses. Immutable.
 */
public record ExecutorStart(
        ExecutorId executor,
        String host,
        int cores,
        ProfileId profile,
        Optional<String> rack,
        Map<String, String> attributes,
        Map<String, String> logs) {
    public ExecutorStart {
        attributes = Collections.unmodifiableMap(new TreeMap<>(attributes));
        logs = Collections.unmodifiableMap(new TreeMap<>(logs));
    }

    /** Start of an executor of the default profile, without attributes and logs. Its rack is unknown. */
    public static ExecutorStart of(ExecutorId executor, String host, int cores) {
        return new ExecutorStart(executor, host, cores, ProfileId.DEFAULT, Optional.empty(), Map.of(), Map.of());
    }

    /** The same start, of an executor of {@code profile}. */
    public ExecutorStart with(ProfileId requested) {
        return new ExecutorStart(executor, host, cores, requested, rack, attributes, logs);
    }

    /** The same start, of an executor whose host is in the rack {@code name}. */
    public ExecutorStart inRack(String name) {
        return new ExecutorStart(executor, host, cores, profile, Optional.of(name), attributes, logs);
    }

    /** The same start with these attributes instead of the previous ones. */
    public ExecutorStart withAttributes(Map<String, String> described) {
        return new ExecutorStart(executor, host, cores, profile, rack, described, logs);
    }

    /** The same start with these addresses of logs instead of the previous ones. */
    public ExecutorStart withLogs(Map<String, String> addresses) {
        return new ExecutorStart(executor, host, cores, profile, rack, attributes, addresses);
    }
}
