package dev.hearth.spi.process;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A process to start: its role, JVM options, what it is told, and the directory it works in, which is made when missing
 * and receives the files {@code stdout} and {@code stderr}. The orders travel through standard input, never as arguments.
 */
public record ChildSpec(String role, List<String> jvmOptions, Map<String, String> orders, Path directory) {
    public ChildSpec {
        jvmOptions = List.copyOf(jvmOptions);
        orders = Collections.unmodifiableMap(new LinkedHashMap<>(orders));
    }

    /** Says nothing of the orders, as there may be secrets among them. */
    @Override
    public String toString() {
        return role + " in " + directory + " with " + jvmOptions;
    }
}
