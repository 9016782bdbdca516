package dev.hearth.yarn.internal.backend;

import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.GrantedContainer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Attributes of containers, with Spark's names, and the addresses of their logs on the pages of NodeManagers. Immutable. */
final class ContainerPages {
    private static final List<String> LOGS = List.of("stdout", "stderr");
    private static final String NO_RACK = "/default-rack";

    private final YarnIdentity identity;

    ContainerPages(YarnIdentity identity) {
        this.identity = identity;
    }

    ExecutorStart start(ExecutorId executor, int cores, ProfileId profile, GrantedContainer container) {
        ExecutorStart start = ExecutorStart.of(executor, container.host(), cores)
                .with(profile)
                .withAttributes(attributes(container))
                .withLogs(logs(container));
        boolean known = !container.rack().isEmpty() && !container.rack().equals(NO_RACK);
        return known ? start.inRack(container.rack()) : start;
    }

    Map<String, String> logs(GrantedContainer container) {
        Map<String, String> logs = new LinkedHashMap<>();
        if (!container.httpAddress().isEmpty()) {
            LOGS.forEach(log -> logs.put(
                    log,
                    identity.scheme() + container.httpAddress() + "/node/containerlogs/" + container.id() + "/"
                            + identity.user() + "/" + log + "?start=-4096"));
        }
        return logs;
    }

    private Map<String, String> attributes(GrantedContainer container) {
        return Map.of(
                "HTTP_SCHEME", identity.scheme(),
                "NM_HOST", container.host(),
                "NM_PORT", port(container.node()),
                "NM_HTTP_PORT", port(container.httpAddress()),
                "NM_HTTP_ADDRESS", container.httpAddress(),
                "CLUSTER_ID", identity.cluster(),
                "CONTAINER_ID", container.id(),
                "USER", identity.user(),
                "LOG_FILES", String.join(",", LOGS));
    }

    private static String port(String address) {
        return address.substring(address.lastIndexOf(':') + 1);
    }
}
