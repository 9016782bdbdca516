package dev.hearth.itests.store;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/**
 * A {@link StoreProgram} in a separate process, and its output. One thread reads the output; any thread may wait for
 * it. {@link #close} ends the process.
 */
final class StoreProcess implements AutoCloseable {
    private static final Duration START_MAX = Duration.ofSeconds(30);
    private static final long END_SECONDS_MAX = 10;
    private static final String LOG = "target/store.log";

    private final Process process;
    private final List<String> lines = new ArrayList<>(); // guarded by this
    private final Thread reader;
    private boolean ended; // guarded by this

    private StoreProcess(Process process) {
        this.process = process;
        this.reader = new Thread(this::read, "output of store " + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    /** Starts the program with the command prefix {@code prefix}, and waits until it is ready. */
    static StoreProcess start(Path directory, long pause, String... prefix) throws Exception {
        List<String> command = new ArrayList<>(List.of(prefix));
        command.addAll(List.of(
                System.getProperty("java.home") + "/bin/java",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StoreProgram.class.getName(),
                directory.toString(),
                Long.toString(pause)));
        StoreProcess started = new StoreProcess(new ProcessBuilder(command)
                .redirectError(Redirect.appendTo(new File(LOG)))
                .start());
        try {
            started.await("ready ", START_MAX);
            return started;
        } catch (Exception | Error failure) {
            started.close();
            throw failure;
        }
    }

    int port() throws Exception {
        return Integer.parseInt(await("ready ", START_MAX).split(" ", -1)[1]);
    }

    /** The content of the store when it was opened. */
    long held() throws Exception {
        return Long.parseLong(await("ready ", START_MAX).split(" ", -1)[2]);
    }

    long pid() {
        return process.pid();
    }

    /** The first line with this prefix. */
    synchronized String await(String beginning, Duration bound) throws Exception {
        long end = System.nanoTime() + bound.toNanos();
        while (true) {
            for (String line : lines) {
                if (line.startsWith(beginning)) {
                    return line;
                }
            }
            long millis = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            if (millis <= 0 || ended) {
                throw new TimeoutException("store " + process.pid() + ": said " + lines + " (expected: " + beginning
                        + " within " + bound.toMillis() + " ms); see " + LOG);
            }
            wait(millis);
        }
    }

    /** Kills the process as {@code kill -9} does, and waits until it has ended. */
    void kill() throws InterruptedException {
        process.destroyForcibly();
        if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw new IllegalStateException("store " + process.pid() + ": runs on (expected: killed)");
        }
    }

    /** The open files of the process below {@code directory}. */
    List<Path> openFiles(Path directory) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                try {
                    Path file = Files.readSymbolicLink(descriptor);
                    if (file.startsWith(directory)) {
                        found.add(file);
                    }
                } catch (NoSuchFileException closed) {
                    // closed between listing and reading, so it is none of the files in question
                }
            }
        }
        return found;
    }

    @Override
    public void close() throws IOException {
        try {
            process.getOutputStream().close();
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                kill();
            }
            reader.join(TimeUnit.SECONDS.toMillis(END_SECONDS_MAX));
        } catch (InterruptedException wanted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private void read() {
        try (BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                add(line);
            }
        } catch (IOException broken) {
            add("output broke off: " + broken);
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    private synchronized void add(String line) {
        lines.add(line);
        notifyAll();
    }
}
