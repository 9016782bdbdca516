package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The options of a daemon, as settings: {@code --port 7077} becomes a key. What is no option stays, in order. */
record DaemonArguments(Settings settings, List<String> rest) {
    /** Reads {@code --name value} and {@code --name=value}; {@code keys} maps the names there are to settings. */
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
