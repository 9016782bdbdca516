package dev.hearth.launcher;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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
public final class Launcher extends AbstractLauncher<Launcher> {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final Duration POLL_EVERY = Duration.ofSeconds(2);

    private final Path home;
    private final Map<String, String> environment = new LinkedHashMap<>();
    private Optional<Path> directory = Optional.empty();
    private Optional<Redirect> output = Optional.empty();
    private Optional<Redirect> errors = Optional.empty();
    private boolean errorsToOutput;
    private String logger = "";
    private Duration connectWithin = CONNECT_WITHIN;
    private Duration pollEvery = POLL_EVERY;

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

    @Override
    Launcher self() {
        return this;
    }

    /** Sets a variable in the environment of the process; the other variables are those of this process. */
    public Launcher environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Sets variables in the environment of the process. */
    public Launcher environment(Map<String, String> variables) {
        environment.putAll(variables);
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

    public Launcher redirectOutput(Redirect to) {
        output = Optional.of(to);
        return this;
    }

    public Launcher redirectOutput(Path file) {
        return redirectOutput(Redirect.to(file.toFile()));
    }

    public Launcher redirectErrors(Redirect to) {
        errors = Optional.of(to);
        return this;
    }

    public Launcher redirectErrors(Path file) {
        return redirectErrors(Redirect.to(file.toFile()));
    }

    /** Writes the standard error of the process to its standard output. */
    public Launcher redirectErrorsToOutput() {
        errorsToOutput = true;
        return this;
    }

    /**
     * Writes the output of the process that is not redirected elsewhere to the {@link System.Logger} named {@code name}, a
     * line as a message.
     */
    public Launcher redirectToLog(String name) {
        logger = given("logger", name);
        return this;
    }

    /** Sets the time within which the process must connect; after that its application counts as {@code LOST}. */
    public Launcher connectWithin(Duration time) {
        connectWithin = positive("time to connect", time);
        return this;
    }

    /** Sets how often {@link #attach} asks for the state of a submission. */
    public Launcher pollEvery(Duration time) {
        pollEvery = positive("time between questions", time);
        return this;
    }

    /**
     * Starts the process and does not follow it. Its output can be read from the returned process, unless it is
     * redirected.
     */
    public Process launch() throws IOException {
        SubmitProcess child = process();
        Process process = child.launch();
        if (!logger.isEmpty()) {
            ChildOutput.follow(process, child.streams(), logger);
        }
        return process;
    }

    /**
     * Starts the process, which connects back to this program, and follows the application. Output that is not redirected
     * is written to the {@link System.Logger} {@code dev.hearth.launcher.app.NAME} with the name of the application.
     */
    public LaunchHandle start(LaunchListener... listeners) throws IOException {
        return ChildLaunch.start(process(), logger, connectWithin, List.of(listeners));
    }

    /**
     * Follows the submission {@code id} on the master, which this or another program has started in cluster mode, perhaps
     * before a restart. Its states are those that {@code bin/submit --status} prints.
     */
    public LaunchHandle attach(String id, LaunchListener... listeners) throws IOException {
        FlagTable.read(home).check(flags());
        return SubmissionFollower.attach(
                given("submission", id), new CommandClient(this::request), pollEvery, List.of(listeners));
    }

    /** The process to start. Fails if the choices contradict each other or the flags of the installation. */
    SubmitProcess process() throws IOException {
        if (errorsToOutput && errors.isPresent()) { // the words of Spark's launcher, which programs may know
            throw new IllegalStateException("Cannot specify both redirectError() and redirectError(...) ");
        }
        if (!logger.isEmpty() && (errorsToOutput || errors.isPresent()) && output.isPresent()) {
            throw new IllegalStateException(
                    "Cannot used redirectToLog() in conjunction with other redirection methods.");
        }
        FlagTable.read(home).check(flags());
        return child(command(), new SubmitProcess.Streams(output, errors, errorsToOutput));
    }

    /** The process of a request about a submission, such as {@code --status ID}, with the flags of this launcher. */
    private Process request(List<String> words) throws IOException {
        List<String> all = new ArrayList<>();
        last(MASTER).ifPresent(master -> all.addAll(List.of(MASTER, master)));
        last(PROPERTIES_FILE).ifPresent(file -> all.addAll(List.of(PROPERTIES_FILE, file)));
        settings().forEach((key, value) -> all.addAll(List.of("--conf", key + "=" + value)));
        all.addAll(words);
        return child(all, SubmitProcess.Streams.NONE).launch();
    }

    private SubmitProcess child(List<String> words, SubmitProcess.Streams streams) {
        return new SubmitProcess(home, words, environment, directory, streams);
    }

    static Duration positive(String what, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException(what + ": " + time + " (expected: more than 0)");
        }
        return time;
    }
}
