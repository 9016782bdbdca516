package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.settings.SpellingSuggestion;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Flag of the submit command line, with its kind of value, and the setting that it sets, if any. */
enum Flag {
    MASTER(
            "URL",
            ApplicationSettings.MASTER.name(),
            "where to run: local[N], local-cluster[N,CORES,MB], hearth://host:7077, ... (default local[*])"),
    DEPLOY_MODE("MODE", ApplicationSettings.DEPLOY_MODE.name(), "where the driver runs: client (default) or cluster"),
    CLASS("NAME", "", "main class (default: Main-Class of the jar's manifest)"),
    NAME("NAME", ApplicationSettings.NAME.name(), "name of the application (default: its main class)"),
    JARS("FILES", ApplicationSettings.JARS.name(), "further jars of the application, separated by commas"),
    CONF("KEY=VALUE", "", "any setting; also -c; may be repeated"),
    PROPERTIES_FILE("FILE", "", "file of settings, ranking below --conf; may be repeated, later ones rank higher"),
    DRIVER_MEMORY("SIZE", ApplicationSettings.DRIVER_MEMORY.name(), "memory of the driver, for example 1g"),
    DRIVER_JAVA_OPTIONS("OPTIONS", LaunchOptions.DRIVER_JAVA_OPTIONS.name(), "options of the driver's Java; not -Xmx"),
    DRIVER_LIBRARY_PATH(
            "PATHS", LaunchOptions.DRIVER_LIBRARY_PATH.name(), "directories of native libraries for the driver"),
    DRIVER_CLASS_PATH(
            "PATHS",
            ApplicationSettings.DRIVER_CLASS_PATH.name(),
            "jars and directories for the driver, before the application's jar"),
    DRIVER_CORES("N", ApplicationSettings.DRIVER_CORES.name(), "cores of the driver, in cluster mode"),
    EXECUTOR_MEMORY("SIZE", ApplicationSettings.EXECUTOR_MEMORY.name(), "memory of each executor"),
    EXECUTOR_CORES("N", ApplicationSettings.EXECUTOR_CORES.name(), "cores of each executor"),
    TOTAL_EXECUTOR_CORES("N", ApplicationSettings.CORES_MAX.name(), "cores of all executors together"),
    NUM_EXECUTORS("N", ApplicationSettings.EXECUTOR_INSTANCES.name(), "number of executors"),
    NO_WAIT("", "", "in cluster mode: return once the cluster has accepted the application"),
    KILL("ID", "", "kill the submission with that id"),
    STATUS("ID", "", "print the status of the submission with that id"),
    VERBOSE("", "", "print settings, and stack traces of failures; also -v"),
    VERSION("", "", "print the version"),
    HELP("", "", "print this; also -h");

    private final String value;
    private final String key;
    private final String meaning;

    /**
     * {@code value} is the placeholder for the flag's value in the usage text; empty for a flag without a value. {@code
     * key} is the setting that the flag sets; empty if none. {@code meaning} is the explanation in the usage text.
     */
    Flag(String value, String key, String meaning) {
        this.value = value;
        this.key = key;
        this.meaning = meaning;
    }

    String text() {
        return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean takesValue() {
        return !value.isEmpty();
    }

    Optional<String> key() {
        return key.isEmpty() ? Optional.empty() : Optional.of(key);
    }

    String usage() {
        return String.format("  %-30s %s", text() + (takesValue() ? " " + value : ""), meaning);
    }

    /** Returns the flag whose long or short spelling, with its dashes, is {@code text}; empty if there is none. */
    static Optional<Flag> find(String text) {
        switch (text) {
            case "-c":
                return Optional.of(CONF);
            case "-v":
                return Optional.of(VERBOSE);
            case "-h":
                return Optional.of(HELP);
            default:
                for (Flag flag : values()) {
                    if (flag.text().equals(text)) {
                        return Optional.of(flag);
                    }
                }
                return Optional.empty();
        }
    }

    /** Returns the flag most similar to {@code text}, for an error message; empty if none is similar. */
    static Optional<String> nearest(String text) {
        return SpellingSuggestion.nearest(
                text, Arrays.stream(values()).map(Flag::text).toList());
    }
}
