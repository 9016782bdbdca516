package dev.hearth.itests.net;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A {@link Program} in a separate process, and its output. One thread reads the output; any thread may wait for it.
 * {@link #close} ends the process.
 */
final class Running implements AutoCloseable {
    private static final long END_SECONDS_MAX = 10;

    private final String name;
    private final Process process;
    private final List<String> lines = new ArrayList<>(); // guarded by this
    private final Thread reader;

    private Running(String name, Process process) {
        this.name = name;
        this.process = process;
        this.reader = new Thread(this::read, "output of " + name);
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the program with the command prefix {@code place}; its log goes to a file. */
    static Running start(String role, String host, int port, UnaryOperator<List<String>> place) throws IOException {
        List<String> command = List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Program.class.getName(),
                role,
                host,
                Integer.toString(port));
        Process process = new ProcessBuilder(place.apply(command))
                .redirectError(Redirect.to(new File("target", role + ".log")))
                .start();
        return new Running(role, process);
    }

    /** The number of output lines so far with this prefix. */
    synchronized long count(String beginning) {
        return lines.stream().filter(line -> line.startsWith(beginning)).count();
    }

    synchronized List<String> saying(String beginning) {
        return lines.stream().filter(line -> line.startsWith(beginning)).toList();
    }

    /** Waits until the output has this many lines with the prefix. */
    void await(String beginning, long count, Duration bound) throws Exception {
        await(
                said -> said.stream().filter(line -> line.startsWith(beginning)).count() >= count,
                bound,
                count + " times " + beginning);
    }

    /** Closes the process's standard input, which ends it. */
    void end() throws Exception {
        process.getOutputStream().close();
        await("ended", 1, Duration.ofSeconds(END_SECONDS_MAX));
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + ": process " + process.pid() + " runs (expected: ended)");
            }
            reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS_MAX));
        } catch (InterruptedException wanted) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void await(Predicate<List<String>> enough, Duration bound, String what) throws Exception {
        long end = System.nanoTime() + bound.toNanos();
        while (!enough.test(lines)) {
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0 || !process.isAlive()) {
                throw new TimeoutException(
                        name + ": said " + lines.subList(Math.max(0, lines.size() - 10), lines.size())
                                + " at last (expected: " + what + " within " + bound.toMillis() + " ms)");
            }
            wait(millis);
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                synchronized (this) {
                    lines.add(line);
                    notifyAll();
                }
            }
        } catch (IOException ended) {
            synchronized (this) {
                lines.add("wrong: output of " + name + " broke off: " + ended);
            }
        }
        synchronized (this) {
            notifyAll();
        }
    }
}
