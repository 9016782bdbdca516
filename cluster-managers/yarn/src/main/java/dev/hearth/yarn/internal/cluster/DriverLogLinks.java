package dev.hearth.yarn.internal.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Addresses of the logs of a driver's container at its NodeManager. Pure. */
final class DriverLogLinks {
    /** Characters of a log at its end that a link shows first, as in Spark. */
    private static final int TAIL = 4096;

    private DriverLogLinks() {}

    /** The addresses by the names of the logs; {@code node} is the address of the NodeManager's pages. */
    static Map<String, String> of(String scheme, String node, String container, String user) {
        Map<String, String> links = new LinkedHashMap<>();
        for (String log : List.of("stdout", "stderr")) {
            String path = "/node/containerlogs/" + container + "/" + user + "/" + log;
            links.put(log, scheme + "://" + node + path + "?start=-" + TAIL);
        }
        return links;
    }
}
