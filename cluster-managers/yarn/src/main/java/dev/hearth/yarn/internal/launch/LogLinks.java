package dev.hearth.yarn.internal.launch;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Addresses of the logs of containers at their NodeManagers. Pure. */
public final class LogLinks {
    /** Characters of a log at its end that a link shows first, as in Spark. */
    private static final int TAIL = 4096;

    private LogLinks() {}

    /**
     * Addresses of the logs of {@code container} by their names. {@code scheme} is {@code http} or {@code https}, {@code
     * node} the address of the NodeManager's pages.
     */
    public static Map<String, String> of(String scheme, String node, String container, String user) {
        Map<String, String> links = new LinkedHashMap<>();
        for (String log : List.of("stdout", "stderr")) {
            links.put(
                    log,
                    scheme + "://" + node + "/node/containerlogs/" + container + "/" + user + "/" + log + "?start=-"
                            + TAIL);
        }
        return links;
    }
}
