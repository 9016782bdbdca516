package dev.hearth.spi.cluster;

import dev.hearth.spi.settings.Settings;
import java.util.List;

/**
 * Application to run: its main class, jars, arguments and settings. Front ends such as {@code bin/submit} create it
 * from their arguments; a cluster manager receives it if the driver is to run on the cluster.
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
