package dev.hearth.spi.cluster;

import dev.hearth.spi.settings.Settings;
import java.util.List;

/**
 * Application to run. Front ends create it from their arguments; cluster managers receive it if the driver runs on the
 * cluster.
 */
public record SubmissionPlan(
        String name,
        String mainClass,
        String applicationJar,
        List<String> jars,
        List<String> arguments,
        Settings settings) {
    public SubmissionPlan {
        jars = List.copyOf(jars);
        arguments = List.copyOf(arguments);
    }
}
