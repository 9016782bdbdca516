package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Command line of a daemon. Options such as {@code --port 7077} become settings; the remaining arguments keep their
 * order.
 */
record DaemonArguments(Settings settings, List<String> rest) {
    /** Whether {@code arguments} ask for the help text of the role. */
    static boolean askForHelp(List<String> arguments) {
        return arguments.contains("--help") || arguments.contains("-h");
    }

    /**
     * Returns the help text of a role, with the options, their settings and their defaults. {@code operands} is the
     * part of the usage line for arguments that are not options.
     */
    static String usage(String role, String operands, Map<String, SettingKey<?>> keys) {
        StringBuilder text = new StringBuilder("usage: hearth " + role + operands + " [option...]\n");
        keys.forEach((name, key) -> text.append(String.format(
                Locale.ROOT,
                "  %-26s %s%n      %s, default %s%n",
                name + " VALUE",
                key.description(),
                key.name(),
                key.absence().isEmpty() ? key.defaultText() : key.absence())));
        return text.append("""
                  --conf KEY=VALUE           A setting; docs/configuration.md lists them.
                  --properties-file FILE     A file with settings, instead of conf/hearth-defaults.conf.
                  -h, --help                 Prints this text.
                """).toString();
    }

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
                throw ErrorCode.BAD_ARGUMENT.failure(
                        role + ": option " + name + " has no value (expected: " + name + " VALUE)");
            }
            sources.flag(name, key.name(), equals < 0 ? arguments.get(++i) : argument.substring(equals + 1));
        }
        return new DaemonArguments(sources.over(installation), List.copyOf(rest));
    }
}
