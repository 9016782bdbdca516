package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.DeclaredSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsSources;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Settings of a process and the arguments of its role. {@code --conf} and {@code --properties-file} are removed from
 * the arguments, unless the role file says that the role parses them itself ({@code arguments=own}). Immutable.
 */
record ProcessSettings(Settings settings, List<String> arguments, List<String> warnings) {
    private static final String CONF = "--conf";
    private static final String PROPERTIES_FILE = "--properties-file";
    /** System property by which bin/hearth names a file of Spark's defaults, for the scripts with names of Spark. */
    private static final String SPARK_DEFAULTS = "hearth.conf.sparkDefaults";

    ProcessSettings {
        arguments = List.copyOf(arguments);
        warnings = List.copyOf(warnings);
    }

    /**
     * Reads settings from the system {@code properties}, the environment, the defaults of the installation and the
     * command line. Resolves relative paths against {@code directory}.
     */
    static ProcessSettings read(
            Home home,
            Role role,
            List<String> arguments,
            Path directory,
            Map<String, String> environment,
            Properties properties) {
        SettingsSources sources = new SettingsSources(directory, environment)
                .properties(properties, "-D")
                .environment()
                .defaults(home.defaultSettings(), home.label(home.defaultSettings()));
        String sparkDefaults = properties.getProperty(SPARK_DEFAULTS, "");
        if (!sparkDefaults.isEmpty()) {
            sources.sparkDefaults(Path.of(sparkDefaults));
        }
        List<String> rest = role.ownArguments() ? arguments : take(arguments, sources);
        return new ProcessSettings(sources.over(Settings.empty()), rest, sources.warnings());
    }

    /** Writes the warnings about settings to standard error. */
    void warn(PrintStream err) {
        warnings.forEach(line -> err.println("warning: " + line));
    }

    /**
     * Checks the settings. Fails with one error that lists all bad values, and warns of settings that no bundle
     * declares.
     */
    void check(DeclaredSettings declared, PrintStream err) {
        if (!settings.keys().isEmpty()) {
            // without settings there is nothing to check, so the declarations are not loaded
            declared.catalog().check(settings).forEach(line -> err.println("warning: " + line));
        }
    }

    private static List<String> take(List<String> arguments, SettingsSources sources) {
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            int equals = argument.indexOf('=');
            String name = equals < 0 ? argument : argument.substring(0, equals);
            if (!name.equals(CONF) && !name.equals(PROPERTIES_FILE)) {
                rest.add(argument);
                continue;
            }
            if (equals < 0 && i + 1 == arguments.size()) {
                throw ErrorCode.BAD_ARGUMENT.failure(name + ": no value (expected: " + name + " VALUE)");
            }
            String value = equals < 0 ? arguments.get(++i) : argument.substring(equals + 1);
            if (name.equals(CONF)) {
                sources.conf(CONF, value);
            } else {
                sources.propertiesFile(value);
            }
        }
        return rest;
    }
}
