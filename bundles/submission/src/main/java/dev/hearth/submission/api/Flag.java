package dev.hearth.submission.api;

import java.util.Locale;
import java.util.Optional;

/** The flags of a submission: how they are written, what they take, and the setting they stand for if it is one. */
enum Flag {
    MASTER("URL", "hearth.master", "where to run: local[N], hearth://host:7077, ... (default local[*])"),
    DEPLOY_MODE("MODE", "hearth.submit.deployMode", "where the driver runs: client (default) or cluster"),
    CLASS("NAME", "", "main class (default: Main-Class of the jar's manifest)"),
    NAME("NAME", "hearth.app.name", "name of the application (default: its main class)"),
    JARS("FILES", "hearth.jars", "further jars of the application, with commas between"),
    CONF("KEY=VALUE", "", "any setting; also -c; may be repeated"),
    PROPERTIES_FILE("FILE", "", "file of settings, ranking below --conf"),
    DRIVER_MEMORY("SIZE", "hearth.driver.memory", "memory of the driver, for example 1g"),
    DRIVER_CORES("N", "hearth.driver.cores", "cores of the driver, in cluster mode"),
    EXECUTOR_MEMORY("SIZE", "hearth.executor.memory", "memory of each executor"),
    EXECUTOR_CORES("N", "hearth.executor.cores", "cores of each executor"),
    TOTAL_EXECUTOR_CORES("N", "hearth.cores.max", "cores of all executors together"),
    NUM_EXECUTORS("N", "hearth.executor.instances", "number of executors"),
    NO_WAIT("", "", "in cluster mode: end once the cluster has taken the application"),
    KILL("ID", "", "end the submission of that id"),
    STATUS("ID", "", "tell how the submission of that id fares"),
    VERBOSE("", "", "print settings, and stack traces of failures; also -v"),
    VERSION("", "", "print the version"),
    HELP("", "", "print this; also -h");

    private static final int DISTANCE_MAX = 4;

    private final String value;
    private final String key;
    private final String meaning;

    /** {@code value} is empty for a flag that takes none, {@code key} for one that is no setting. */
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

    /** The flag written as {@code text}, long or short. */
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

    /** The flag that somebody who wrote {@code text} most likely meant; empty when none is near. */
    static Optional<Flag> nearest(String text) {
        Optional<Flag> nearest = Optional.empty();
        int least = DISTANCE_MAX + 1;
        for (Flag flag : values()) {
            int distance = distance(text, flag.text());
            if (distance < least && distance < flag.text().length() / 2) {
                least = distance;
                nearest = Optional.of(flag);
            }
        }
        return nearest;
    }

    /** How many letters to add, drop or replace to make one text of the other. */
    private static int distance(String from, String to) {
        int[] above = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            above[column] = column;
        }
        for (int row = 1; row <= from.length(); row++) {
            int[] here = new int[to.length() + 1];
            here[0] = row;
            for (int column = 1; column <= to.length(); column++) {
                int replaced = above[column - 1] + (from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1);
                here[column] = Math.min(replaced, 1 + Math.min(above[column], here[column - 1]));
            }
            above = here;
        }
        return above[to.length()];
    }
}
