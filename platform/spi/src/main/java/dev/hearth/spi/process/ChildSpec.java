package dev.hearth.spi.process;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Child process to start: its role, JVM options, working directory, and launch orders, which are key-value pairs. The
 * directory is created if missing and receives the files {@code stdout} and {@code stderr}, within the bounds of {@code
 * outputs}. The orders may contain secrets, so they are passed through standard input, never as arguments.
 */
public record ChildSpec(
        String role, List<String> jvmOptions, Map<String, String> orders, Path directory, OutputFiles outputs) {
    public ChildSpec {
        jvmOptions = List.copyOf(jvmOptions);
        orders = Collections.unmodifiableMap(new LinkedHashMap<>(orders));
    }

    /** Specification of a child process whose output files have the default bounds. */
    public ChildSpec(String role, List<String> jvmOptions, Map<String, String> orders, Path directory) {
        this(role, jvmOptions, orders, directory, OutputFiles.DEFAULTS);
    }

    /** The same child process with other bounds on its output files. */
    public ChildSpec withOutputs(OutputFiles bounds) {
        return new ChildSpec(role, jvmOptions, orders, directory, bounds);
    }

    /** Log files of the process, {@code stderr} first. */
    public List<String> logs() {
        return List.of(
                directory.resolve("stderr").toString(),
                directory.resolve("stdout").toString());
    }

    /** JVM option that limits the heap of the child process. */
    public static List<String> heap(int mebibytes) {
        return List.of("-Xmx" + mebibytes + "m");
    }

    /** Text form without the launch orders, which may contain secrets. */
    @Override
    public String toString() {
        return role + " in " + directory + " with " + jvmOptions;
    }
}
