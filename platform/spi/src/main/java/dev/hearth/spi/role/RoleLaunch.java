package dev.hearth.spi.role;

import dev.hearth.spi.settings.Settings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Input and output of a role: command-line arguments, launch orders (key-value pairs for this process), settings
 * of the installation, and the streams to write to. The settings come from {@code conf/hearth-defaults.conf}, and all
 * other sources override them. {@code out} is for results and the output of the user's program; all other output goes
 * to {@code err}.
 */
public record RoleLaunch(
        Path home,
        List<String> arguments,
        Map<String, String> orders,
        Settings settings,
        PrintStream out,
        PrintStream err) {
    public RoleLaunch {
        arguments = List.copyOf(arguments);
        orders = Collections.unmodifiableMap(new LinkedHashMap<>(orders));
    }
}
