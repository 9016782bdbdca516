package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.OutputName;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Addresses at which people read the output of a process on a worker: pages of the worker in the form of Spark's, or its
 * files if it serves no pages. Stateless.
 */
public final class OutputLinks {
    private OutputLinks() {}

    /**
     * Addresses by the names of outputs. {@code pages} is where the worker serves its pages, such as {@code
     * http://host:7078}; empty if it serves none. {@code directory} is the work directory of the process on {@code host}.
     */
    public static Map<String, String> of(LogSource source, String pages, String host, String directory) {
        if (pages.isEmpty()) {
            return ChildSpec.logLinks(host, directory);
        }
        String process = source.application()
                .map(id -> "appId=" + encoded(id.value()) + "&executorId=" + encoded(source.process()))
                .orElseGet(() -> "driverId=" + encoded(source.process()));
        Map<String, String> links = new LinkedHashMap<>();
        for (OutputName output : List.of(OutputName.STDERR, OutputName.STDOUT)) {
            links.put(output.file(), pages + "/logPage/?" + process + "&logType=" + output.file());
        }
        return links;
    }

    private static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
