package dev.hearth.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts an application in a process of its own, as {@code bin/submit} does, and follows it:
 * <pre>{@code LaunchHandle running = Launcher.of(Path.of("/opt/hearth"))
 *         .master("hearth://10.0.0.1:7077")
 *         .mainClass("example.Words")
 *         .application("words.jar")
 *         .setting("hearth.executor.memory", "2g")
 *         .arguments("/data/text")
 *         .start();
 * running.exit().thenAccept(end -> System.out.println(end.state()));}</pre>
 * <p>A launcher may start many applications. Not thread-safe.
 */
public final class Launcher {
    /** Application resource of an application whose classes are in further jars. */
    public static final String NO_RESOURCE = "spark-internal";

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

    private final Path home;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private final List<SubmitFlag> flags = new ArrayList<>();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<String> jars = new ArrayList<>();
    private final List<String> files = new ArrayList<>();
    private final List<String> archives = new ArrayList<>();
    private final List<String> arguments = new ArrayList<>();
    private String application = "";
    private Optional<Path> directory = Optional.empty();
    private Optional<ProcessBuilder.Redirect> output = Optional.empty();
    private Optional<ProcessBuilder.Redirect> errors = Optional.empty();
    private boolean errorsToOutput;
    private String logger = "";
    private Duration connectWithin = CONNECT_WITHIN;

    private Launcher(Path home) {
        this.home = home;
    }

    /** Returns a launcher for the installation in the directory {@code home}, which contains {@code bin/submit}. */
    public static Launcher of(Path home) {
        return new Launcher(home.toAbsolutePath());
    }

    /**
     * Returns a launcher for the installation that the environment variable {@code HEARTH_HOME} names, or {@code
     * SPARK_HOME} if that is unset.
     */
    public static Launcher ofEnvironment() {
        Map<String, String> own = System.getenv();
        String home = own.getOrDefault("HEARTH_HOME", own.getOrDefault("SPARK_HOME", ""));
        if (home.isEmpty()) {
            throw new IllegalStateException("HEARTH_HOME: not set (expected: the directory of an installation)");
        }
        return of(Path.of(home));
    }

    /** Sets where the application runs, such as {@code local[4]} or {@code hearth://10.0.0.1:7077}. */
    public Launcher master(String url) {
        return flag("--master", url);
    }

    /** Sets where the driver runs: {@code client} or {@code cluster}. */
    public Launcher deployMode(String mode) {
        return flag("--deploy-mode", mode);
    }

    public Launcher mainClass(String name) {
        return flag("--class", name);
    }

    /** Sets the name of the application. */
    public Launcher name(String name) {
        return flag("--name", name);
    }

    public Launcher propertiesFile(Path file) {
        return flag("--properties-file", file.toString());
    }

    /** Sets the application's jar by path or URI, or {@link #NO_RESOURCE}. */
    public Launcher application(String resource) {
        application = given("application", resource);
        return this;
    }

    /** Sets a setting of the application, with a key such as {@code hearth.executor.memory}. */
    public Launcher setting(String key, String value) {
        if (!key.startsWith("hearth.") && !key.startsWith("spark.")) {
            throw new IllegalArgumentException(
                    "setting '" + key + "': unknown (expected: a key that begins with hearth. or spark.)");
        }
        settings.put(key, value);
        return this;
    }

    /** Adds a jar to the class path of the application. */
    public Launcher jar(String resource) {
        jars.add(given("jar", resource));
        return this;
    }

    /** Adds a file that the driver and the tasks find. */
    public Launcher file(String resource) {
        files.add(given("file", resource));
        return this;
    }

    /** Adds an archive that the driver and the tasks find unpacked. */
    public Launcher archive(String resource) {
        archives.add(given("archive", resource));
        return this;
    }

    /** Adds arguments of the application. */
    public Launcher arguments(String... more) {
        arguments.addAll(List.of(more));
        return this;
    }

    /** Adds a switch of {@code bin/submit}, such as {@code --supervise}. */
    public Launcher flag(String name) {
        flags.add(new SubmitFlag(name, Optional.empty()));
        return this;
    }

    /** Adds a flag of {@code bin/submit} and its value. */
    public Launcher flag(String name, String value) {
        flags.add(new SubmitFlag(name, Optional.of(given(name, value))));
        return this;
    }

    /** Prints settings and the trace of a failure to the standard error of the process. */
    public Launcher verbose() {
        return flag("--verbose");
    }

    /** Sets a variable in the environment of the process; the other variables are those of this process. */
    public Launcher environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Sets the directory of the Java that runs the application; without it, that of {@code JAVA_HOME} or the path. */
    public Launcher javaHome(Path java) {
        return environment("JAVA_HOME", java.toString());
    }

    /** Sets the working directory of the process. */
    public Launcher directory(Path working) {
        directory = Optional.of(working);
        return this;
    }

    public Launcher redirectOutput(ProcessBuilder.Redirect to) {
        output = Optional.of(to);
        return this;
    }

    public Launcher redirectErrors(ProcessBuilder.Redirect to) {
        errors = Optional.of(to);
        return this;
    }

    /** Writes the standard error of the process to its standard output. */
    public Launcher redirectErrorsToOutput() {
        errorsToOutput = true;
        return this;
    }

    /** Writes the output of the process to the {@link System.Logger} named {@code name}, a line as a message. */
    public Launcher redirectToLog(String name) {
        logger = given("logger", name);
        return this;
    }

    /** Sets the time within which the process must connect; after that its application counts as {@code LOST}. */
    public Launcher connectWithin(Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("time to connect: " + time + " (expected: more than 0)");
        }
        connectWithin = time;
        return this;
    }

    /**
     * Starts the process and does not follow it. Its output can be read from the returned process, unless it is
     * redirected.
     */
    public Process launch() throws IOException {
        if (!logger.isEmpty()) {
            throw new IllegalStateException(
                    "log '" + logger + "': no logger for a process that is not followed (expected:"
                            + " redirectOutput, or start instead of launch)");
        }
        return process().launch();
    }

    /**
     * Starts the process, which connects back to this program, and follows the application. Output that is not redirected
     * is written to the {@link System.Logger} {@code dev.hearth.launcher.app.NAME} with the name of the application.
     */
    public LaunchHandle start(LaunchListener... listeners) throws IOException {
        return ChildLaunch.start(process(), logger, connectWithin, List.of(listeners));
    }

    /** The process to start. Fails if the choices contradict each other or the flags of the installation. */
    SubmitProcess process() throws IOException {
        if (errorsToOutput && errors.isPresent()) {
            throw new IllegalStateException(
                    "standard error: redirected twice (expected: to standard output or elsewhere)");
        }
        if (!logger.isEmpty() && (errorsToOutput || errors.isPresent() || output.isPresent())) {
            throw new IllegalStateException(
                    "output: redirected to log '" + logger + "' and elsewhere (expected: one of them)");
        }
        FlagTable.read(home).check(flags);
        return new SubmitProcess(
                home, command(), environment, directory, new SubmitProcess.Streams(output, errors, errorsToOutput));
    }

    /** The words of the command line after the program. */
    List<String> command() {
        List<String> words = new ArrayList<>();
        flags.forEach(flag -> words.addAll(flag.words()));
        settings.forEach((key, value) -> words.addAll(List.of("--conf", key + "=" + value)));
        list("--jars", jars, words);
        list("--files", files, words);
        list("--archives", archives, words);
        if (!application.isEmpty()) {
            words.add(application);
        } else if (flags.stream().noneMatch(SubmitFlag::needsNoApplication)) {
            throw new IllegalStateException("application: not given (expected: a jar, or NO_RESOURCE)");
        }
        words.addAll(arguments);
        return words;
    }

    private static void list(String flag, List<String> resources, List<String> words) {
        if (!resources.isEmpty()) {
            words.add(flag);
            words.add(String.join(",", resources));
        }
    }

    private static String given(String what, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException(what + ": empty (expected: a value)");
        }
        return value;
    }
}
