package dev.hearth.kernel.internal.boot;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Map;

/**
 * Evaluates triggers {@code paths:VARIABLE/FILE} of bundles: one applies to this process if its variable names a
 * directory with that file. The directory of Hearth's settings has a default. Immutable.
 */
record SiteFileTriggers(Map<String, String> variables, Path settings) {
    private static final String SETTINGS = "HEARTH_CONF_DIR";

    SiteFileTriggers {
        variables = Map.copyOf(variables);
    }

    /** Whether {@code name}, a variable and a file separated by a slash, names a file that exists. */
    boolean apply(String name) {
        int slash = name.indexOf('/');
        String variable = slash < 0 ? name : name.substring(0, slash);
        String directory = variable.equals(SETTINGS) ? settings.toString() : variables.getOrDefault(variable, "");
        try {
            return slash > 0
                    && !directory.isBlank()
                    && Files.isRegularFile(Path.of(directory, name.substring(slash + 1)));
        } catch (InvalidPathException none) { // no directory of this system, and so without the file
            return false;
        }
    }
}
