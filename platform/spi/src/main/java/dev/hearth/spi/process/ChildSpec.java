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

    /** The files that receive what the process writes, that for errors first. */
    public List<String> logs() {
        return List.of(
                directory.resolve("stderr").toString(),
                directory.resolve("stdout").toString());
    }

    /** The option of the JVM that bounds its heap. */
    public static List<String> heap(int mebibytes) {
        return List.of("-Xmx" + mebibytes + "m");
    }

    /** Says nothing of the orders, as there may be secrets among them. */
    @Override
    public String toString() {
        return role + " in " + directory + " with " + jvmOptions;
    }
}
