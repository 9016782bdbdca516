package dev.hearth.hadoopclient.internal;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Environment of this process, and the home of its installation. Immutable. */
record HadoopEnvironment(Map<String, String> variables, Path home) {
    private static final String SETTINGS_DIRECTORY = "HEARTH_CONF_DIR";
    private static final List<String> DIRECTORIES = List.of("HADOOP_CONF_DIR", "YARN_CONF_DIR");

    HadoopEnvironment {
        variables = Map.copyOf(variables);
    }

    /** The directories of site files, the one that counts most first. */
    List<Path> directories() {
        List<Path> found = new ArrayList<>();
        String own = variables.getOrDefault(SETTINGS_DIRECTORY, "");
        found.add(own.isBlank() ? home.resolve("conf") : Path.of(own));
        for (String variable : DIRECTORIES) {
            String directory = variables.getOrDefault(variable, "");
            if (!directory.isBlank()) {
                found.add(Path.of(directory));
            }
        }
        return found;
    }
}
