package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Command line of a daemon: options such as {@code --port 7077} as settings, and the remaining arguments in order. */
record DaemonArguments(Settings settings, List<String> rest) {
    /** Parses {@code --name value} and {@code --name=value}. {@code keys} maps option names to settings. */
    static DaemonArguments parse(
            String role, List<String> arguments, Map<String, SettingKey<?>> keys, Settings installation) {
        SettingsSources sources = new SettingsSources(Path.of(""), System.getenv());
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("-")) {
                rest.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            SettingKey<?> key = keys.get(name);
            if (key == null) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": unknown option '" + name + "' (expected: one of "
                        + keys.keySet() + ", --conf or --properties-file)");
            }
            if (equals < 0 && i + 1 == arguments.size()) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": option " + name + " has no value (expected: one)");
            }
            sources.flag(name, key.name(), equals < 0 ? arguments.get(++i) : argument.substring(equals + 1));
        }
        return new DaemonArguments(sources.over(installation), List.copyOf(rest));
    }
}
