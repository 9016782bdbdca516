package dev.hearth.spi.process;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Child process to start: its role, JVM options, working directory, and launch orders, which are key-value pairs. The
 * directory is created if missing and receives the files {@code stdout} and {@code stderr}, within the bounds of {@code
 * outputs}. The orders may contain secrets, so they are passed through standard input, never as arguments.
 * {@code withheld} are names of environment variables that the child must not inherit, in addition to those that the
 * launcher withholds from every child. A child with a {@code user} runs as that user of the operating system. {@code
 * options} are those that the application gives to the child. If {@code attempt} is not 0, the child is started again and
 * again: each time it has a new working directory, {@code attempt-N}, in {@code directory}. The files {@code stdout} and
 * {@code stderr} are those of all attempts, and only the working directories of the last attempts are kept.
 */
public record ChildSpec(
        String role,
        List<String> jvmOptions,
        Map<String, String> orders,
        Path directory,
        OutputFiles outputs,
        Set<String> withheld,
        Optional<String> user,
        LaunchOptions options,
        int attempt) {
    public ChildSpec {
        jvmOptions = List.copyOf(jvmOptions);
        orders = Collections.unmodifiableMap(new LinkedHashMap<>(orders));
        withheld = Set.copyOf(withheld);
    }

    /**
     * Child process that runs as the user of this process, with the default bounds on its output files and the
     * inherited environment.
     */
    public ChildSpec(String role, List<String> jvmOptions, Map<String, String> orders, Path directory) {
        this(
                role,
                jvmOptions,
                orders,
                directory,
                OutputFiles.DEFAULTS,
                Set.of(),
                Optional.empty(),
                LaunchOptions.NONE,
                0);
    }

    /** The same child process with {@code bounds} as the bounds on its output files. */
    public ChildSpec withOutputs(OutputFiles bounds) {
        return new ChildSpec(role, jvmOptions, orders, directory, bounds, withheld, user, options, attempt);
    }

    /** The same child process, which does not inherit the environment variables {@code variables}. */
    public ChildSpec withholding(Set<String> variables) {
        return new ChildSpec(role, jvmOptions, orders, directory, outputs, variables, user, options, attempt);
    }

    /**
     * The same child process, run by the user {@code other} of the operating system, or by that of this process if
     * {@code other} is empty.
     */
    public ChildSpec runBy(Optional<String> other) {
        return new ChildSpec(role, jvmOptions, orders, directory, outputs, withheld, other, options, attempt);
    }

    /** The same child process with more launch orders. */
    public ChildSpec withOrders(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(orders);
        all.putAll(more);
        return new ChildSpec(role, jvmOptions, all, directory, outputs, withheld, user, options, attempt);
    }

    /** The same child process with one more option of Java. */
    public ChildSpec withOption(String option) {
        List<String> more = new ArrayList<>(jvmOptions);
        more.add(option);
        return new ChildSpec(role, more, orders, directory, outputs, withheld, user, options, attempt);
    }

    /** The same child process with other options of its application. */
    public ChildSpec with(LaunchOptions given) {
        return new ChildSpec(role, jvmOptions, orders, directory, outputs, withheld, user, given, attempt);
    }

    /** The same child process, as start number {@code number}, from 1 on. */
    public ChildSpec ofAttempt(int number) {
        return new ChildSpec(role, jvmOptions, orders, directory, outputs, withheld, user, options, number);
    }

    /** Paths of the two output files of the child process: {@code stderr}, then {@code stdout}. */
    public List<String> logs() {
        return List.of(
                directory.resolve("stderr").toString(),
                directory.resolve("stdout").toString());
    }

    /**
     * Addresses of the output files of a child process by their names, for a child in the absolute {@code directory} of
     * the machine {@code host}. Empty if no address can be formed of these.
     */
    public static Map<String, String> logLinks(String host, String directory) {
        Map<String, String> links = new LinkedHashMap<>();
        try {
            for (String file : List.of("stderr", "stdout")) {
                links.put(file, new URI("file", host, directory + "/" + file, null).toASCIIString());
            }
        } catch (URISyntaxException strange) {
            return Map.of(); // links are for display only
        }
        return links;
    }

    /** JVM options that limit the heap of a child process to {@code mebibytes} MiB. */
    public static List<String> heap(int mebibytes) {
        return List.of("-Xmx" + mebibytes + "m");
    }

    /** Text form without the launch orders and the values of the options, which may contain secrets. */
    @Override
    public String toString() {
        return role + " in " + directory + " with " + jvmOptions + ", " + options;
    }
}
