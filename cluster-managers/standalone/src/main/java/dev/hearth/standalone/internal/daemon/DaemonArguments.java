package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of a daemon, as settings: {@code --port 7077} becomes a key. What is no option stays, in order. */
record DaemonArguments(Settings settings, List<String> rest) {
    /** Reads {@code --name value} and {@code --name=value}; {@code keys} maps the names there are to settings. */
    static DaemonArguments parse(String role, List<String> arguments, Map<String, String> keys, Settings installation) {
        Map<String, String> given = new LinkedHashMap<>();
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (!argument.startsWith("-")) {
                rest.add(argument);
                continue;
            }
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (!keys.containsKey(name)) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        role + ": unknown option '" + name + "' (expected: one of " + keys.keySet() + ")");
            }
            if (equals < 0 && i + 1 == arguments.size()) {
                throw ErrorCode.BAD_ARGUMENT.failure(role + ": option " + name + " has no value (expected: one)");
            }
            String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            if (name.equals("--conf")) {
                int split = value.indexOf('=');
                if (split < 1) {
                    throw ErrorCode.BAD_ARGUMENT.failure(role + ": --conf " + value + " (expected: key=value)");
                }
                given.put(value.substring(0, split), value.substring(split + 1));
            } else {
                given.put(keys.get(name), value);
            }
        }
        return new DaemonArguments(installation.with("command line", given), List.copyOf(rest));
    }

    /** A port to listen on; 0 takes any free one. */
    int port(String key, int otherwise) {
        SettingsReader in = new SettingsReader(settings);
        int port = in.integer(key, otherwise, 0);
        in.finish();
        if (port > 65_535) {
            throw ErrorCode.BAD_SETTING.failure(key + ": " + port + " (expected: 0 to 65535)");
        }
        return port;
    }
}
