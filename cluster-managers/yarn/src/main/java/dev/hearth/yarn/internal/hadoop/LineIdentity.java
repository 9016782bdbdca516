package dev.hearth.yarn.internal.hadoop;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;

/**
 * Application attempt whose master a line is: its id, the host of this process, Hadoop's configuration, and a user of
 * Hadoop that no other application has, with the token of the attempt. Immutable, as far as Hadoop's objects are.
 */
public record LineIdentity(
        ApplicationAttemptId attempt, String host, Configuration configuration, UserGroupInformation user) {
    private static final String SECOND = "1000";

    /**
     * Times of connections to the ResourceManager: short ones, because the line thread itself tries again, each second
     * and until its patience ends. Hadoop would block for 15 minutes and more.
     */
    private static final Map<String, String> TO_MANAGER = Map.of(
            "yarn.resourcemanager.connect.retry-interval.ms", SECOND,
            "yarn.resourcemanager.connect.max-wait.ms", SECOND,
            "ipc.client.connect.max.retries", "0",
            "ipc.client.connect.max.retries.on.timeouts", "0",
            "ipc.client.rpc-timeout.ms", "20000",
            "hadoop.security.group.mapping", "org.apache.hadoop.security.NullGroupsMapping");

    /** Bound of 20 s for connections to NodeManagers, where Hadoop has 180 s and more. */
    private static final Map<String, String> TO_NODES = Map.of(
            "yarn.client.nodemanager-connect.max-wait-ms", "20000",
            "yarn.client.nodemanager-connect.retry-interval-ms", SECOND,
            "ipc.client.connect.max.retries", "0",
            "ipc.client.connect.timeout", "5000",
            "ipc.client.connect.max.retries.on.timeouts", "2",
            "ipc.client.rpc-timeout.ms", "60000");

    Configuration toManager() {
        return with(TO_MANAGER);
    }

    Configuration toNodes() {
        return with(TO_NODES);
    }

    private Configuration with(Map<String, String> values) {
        Configuration copy = new Configuration(configuration);
        new LinkedHashMap<>(values).forEach((key, value) -> copy.set(key, value, "the line"));
        return copy;
    }
}
