package dev.hearth.itests.endtoend;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A process that a test started, with its output in files. Closing it ends it by its pid. */
final class Launched implements AutoCloseable {
    private static final int WAIT_SECONDS_MAX = 300; // guards against hangs, also on a busy machine
    private static final int STOP_SECONDS_MAX = 15;
    private static final Duration START_BOUND = Duration.ofMinutes(3);

    private final Process process;
    private final Path output;
    private final Path errors;
    private final List<String> command;

    private Launched(Process process, Path output, Path errors, List<String> command) {
        this.process = process;
        this.output = output;
        this.errors = errors;
        this.command = command;
    }

    /** Starts a command whose standard output is a file. */
    static Launched start(Path directory, List<String> command) throws IOException {
        return start(directory, Map.of(), command);
    }

    /** Starts a command with further variables in its environment. */
    static Launched start(Path directory, Map<String, String> environment, List<String> command) throws IOException {
        Path output = Files.createTempFile(directory, "stdout", ".txt");
        Path errors = Files.createTempFile(directory, "stderr", ".txt");
        Process process = builder(environment, command)
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile())
                .start();
        return new Launched(process, output, errors, command);
    }

    /** Starts a daemon and waits for its ready line on standard output; ends a daemon that does not become ready. */
    static Ready startDaemon(Path directory, List<String> command) throws IOException {
        return startDaemon(directory, Map.of(), command);
    }

    static Ready startDaemon(Path directory, Map<String, String> environment, List<String> command) throws IOException {
        Launched launched = start(directory, environment, command);
        boolean ready = false;
        try {
            Eventually.until(
                    "it says that it is ready",
                    () -> launched.output().contains("\n") || !launched.process.isAlive(),
                    START_BOUND,
                    () -> command + ": " + launched.errors());
            Optional<String> line = launched.output().lines().findFirst();
            ready = line.isPresent();
            return new Ready(
                    launched,
                    line.orElseThrow(() -> new AssertionError(command + " did not start:\n" + launched.errors())));
        } finally {
            if (!ready) {
                launched.close();
            }
        }
    }

    /**
     * Command that becomes another one to which Ctrl-C means its end. A background job of a shell without job control
     * ignores Ctrl-C, and so would all that it starts.
     */
    static final List<String> WITH_SIGNALS = List.of("env", "--default-signal=INT,QUIT");

    /** Gives all processes one archive of classes, instead of one for each installation. */
    private static ProcessBuilder builder(Map<String, String> environment, List<String> command) throws IOException {
        List<String> whole = new ArrayList<>(WITH_SIGNALS);
        whole.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(whole);
        builder.environment().put("HEARTH_CDS", SharedClasses.setting());
        // a prestarted process would count as one that a test has not ended; PrestartIT has them
        builder.environment().put("HEARTH_WORKER_OPTS", "-Dhearth.worker.prestart.enabled=false");
        builder.environment().putAll(environment);
        return builder;
    }

    /** A daemon and its ready line. */
    record Ready(Launched process, String line) {}

    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Waits for the process to end and returns its exit status. */
    int status() throws InterruptedException {
        return status(WAIT_SECONDS_MAX);
    }

    /** As {@code await()}, with a longer limit. */
    int status(int secondsMax) throws InterruptedException {
        if (!process.waitFor(secondsMax, TimeUnit.SECONDS)) {
            throw new AssertionError(command + " still runs after " + secondsMax + " s:\n" + output() + errors());
        }
        return process.exitValue();
    }

    /** Waits at most {@code time}; true if the process has ended. */
    boolean hasEndedWithin(Duration time) throws InterruptedException {
        return process.waitFor(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    String output() {
        return read(output);
    }

    String errors() {
        return read(errors);
    }

    /** Ends the process as kill -9 does. */
    void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    /** Sends SIGTERM to the process and does not wait. */
    void end() {
        process.destroy();
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, STOP_SECONDS_MAX, TimeUnit.SECONDS)
                .join();
        if (process.isAlive()) {
            kill();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new AssertionError("output of a process: " + failure, failure);
        }
    }
}
