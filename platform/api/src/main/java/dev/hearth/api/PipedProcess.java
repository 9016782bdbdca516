package dev.hearth.api;

import dev.hearth.api.function.LinesFunction;
import dev.hearth.api.launch.TaskRuntime;
import dev.hearth.api.task.TaskContext;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pipes a partition through a process: one thread writes the elements to the process, another reads the output of the
 * process, and the task iterates over the lines of the output. The process is killed when the task ends; an exit status
 * other than 0 fails the task. Owned by the task's thread.
 */
final class PipedProcess<T> implements Iterator<String> {
    private static final System.Logger LOG = System.getLogger(PipedProcess.class.getName());
    private static final int LINES_MAX = 1024; // capacity of the queue `lines`
    private static final int ERROR_LINES_MAX = 20; // lines of standard error that an error message contains
    private static final long POLL_MILLIS = 50; // the task's thread checks for cancellation at this interval
    private static final String END = new String("end"); // marks the end of `lines`; compared by identity

    private final Command command;
    private final LinesFunction<? super T> writing;
    private final int partition;
    private final Iterator<T> elements;
    private final TaskContext task;
    private final @Nullable TaskRuntime runtime = TaskRuntime.current();
    private final BlockingQueue<String> lines = new ArrayBlockingQueue<>(LINES_MAX);
    private final Deque<String> errorLines = new ArrayDeque<>(); // guarded by itself
    private @Nullable Process process; // set before the reader and writer threads start
    private @Nullable Path directory;
    private final List<Thread> threads = new ArrayList<>();
    private @Nullable Thread reader; // thread that reads the output; set when it starts
    private volatile @Nullable Throwable failure; // thrown while elements were computed or written
    private @Nullable String next;
    private boolean ended;
    private volatile boolean stopped; // the task reads no more lines

    PipedProcess(
            Command command, LinesFunction<? super T> writing, int partition, Iterator<T> elements, TaskContext task) {
        this.command = command;
        this.writing = writing;
        this.partition = partition;
        this.elements = elements;
        this.task = task;
    }

    PipedProcess<T> start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command.words());
        builder.environment().putAll(command.environment());
        builder.environment().put("HEARTH_PARTITION", Integer.toString(partition));
        task.onCompletion(done -> stop());
        if (command.ownDirectory()) {
            directory = Files.createTempDirectory("hearth-pipe-");
            builder.directory(directory.toFile());
        }
        Process started;
        try {
            started = builder.start();
        } catch (IOException missing) {
            throw new HearthException(
                    "BAD_ARGUMENT",
                    "pipe: " + command.words().get(0) + " cannot be started: " + missing.getMessage()
                            + " (expected: a program on every executor's host)",
                    missing);
        }
        process = started;
        Charset charset = Charset.forName(command.charset());
        thread("input", () -> write(started.outputWriter(charset)));
        reader = thread("output", () -> read(started.inputReader(charset)));
        thread("errors", () -> logError(started.errorReader(charset)));
        return this;
    }

    private Thread thread(String name, Runnable work) {
        Thread thread = new Thread(work, "pipe-" + name + " of task " + task.taskId());
        thread.setDaemon(true);
        thread.start();
        threads.add(thread);
        return thread;
    }

    /**
     * Computes the elements and writes their lines to {@code to}, the input of the process. Meanwhile the task is the
     * current task of this thread, because user code runs here.
     */
    private void write(BufferedWriter to) {
        TaskRuntime.enter(runtime);
        try {
            for (String line : command.header()) {
                line(to, line);
            }
            while (!stopped && elements.hasNext()) {
                writing.write(elements.next(), line -> line(to, line));
            }
        } catch (ClosedInputException closed) {
            // no failure by itself, because the exit status of the process decides
            LOG.log(System.Logger.Level.DEBUG, "pipe: the process closed its input", closed);
        } catch (Throwable thrown) { // user code threw it; the task's thread rethrows it
            failure = thrown;
            Process running = process;
            if (running != null) {
                running.destroyForcibly();
            }
        } finally {
            close(to);
            TaskRuntime.enter(null);
        }
    }

    private static void line(Writer to, String line) {
        try {
            to.write(line);
            to.write('\n');
        } catch (IOException gone) {
            throw new ClosedInputException(gone);
        }
    }

    private static void close(Writer to) {
        try {
            to.close();
        } catch (IOException gone) {
            LOG.log(System.Logger.Level.DEBUG, "pipe: the process did not read all of its input", gone);
        }
    }

    /**
     * Thrown when the process closed its input before it read all elements. This is no failure of the task. The class
     * is no IOException, because user code that computes elements may throw one as well.
     */
    private static final class ClosedInputException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        ClosedInputException(IOException cause) {
            super(cause);
        }
    }

    private void read(BufferedReader from) {
        try (from) {
            for (String line = from.readLine(); line != null && !stopped; line = from.readLine()) {
                lines.put(line);
            }
        } catch (IOException gone) {
            logError("pipe: the output of the process could not be read: " + gone.getMessage());
        } catch (InterruptedException stopping) {
            return; // the task no longer reads lines
        }
        offerEnd();
    }

    private void offerEnd() {
        try {
            lines.put(END);
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private void logError(BufferedReader from) {
        try (from) {
            from.lines().forEach(line -> {
                LOG.log(
                        System.Logger.Level.INFO,
                        "{0} of task {1}: {2}",
                        command.words().get(0),
                        task.taskId(),
                        line);
                logError(line);
            });
        } catch (IOException | UncheckedIOException gone) {
            logError("pipe: the standard error of the process could not be read: " + gone.getMessage());
        }
    }

    private void logError(String line) {
        synchronized (errorLines) {
            if (errorLines.size() == ERROR_LINES_MAX) {
                errorLines.removeFirst();
            }
            errorLines.addLast(line);
        }
    }

    @Override
    public boolean hasNext() {
        while (next == null && !ended) {
            next = poll();
            if (isEnd(next)) {
                next = null;
                ended = true;
                finish();
            }
        }
        return next != null;
    }

    @SuppressWarnings({"ReferenceEquality", "StringEquality"}) // an output line may equal the text of END
    private static boolean isEnd(@Nullable String line) {
        return line == END;
    }

    private @Nullable String poll() {
        try {
            String line = lines.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            if (line == null && (stopped || task.isInterrupted())) {
                stop();
                throw new HearthException("JOB_CANCELLED", "pipe: the task was cancelled");
            }
            return line;
        } catch (InterruptedException interrupted) {
            stop();
            Thread.currentThread().interrupt();
            throw new HearthException("JOB_CANCELLED", "pipe: the task was interrupted", interrupted);
        }
    }

    private void finish() {
        try {
            Process running = process;
            int status = running == null ? 0 : running.waitFor();
            for (Thread thread : threads) { // wait until all of standard error is read
                thread.join();
            }
            Throwable thrown = failure;
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
            if (thrown != null) {
                throw new HearthException("TASK_FAILED", "pipe: an element threw " + thrown, thrown);
            }
            if (status != 0) {
                throw new HearthException(
                        "TASK_FAILED",
                        "pipe: " + String.join(" ", command.words()) + " ended with status " + status + " (expected: 0)"
                                + lastErrors());
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HearthException("JOB_CANCELLED", "pipe: the task was interrupted", interrupted);
        }
    }

    private String lastErrors() {
        synchronized (errorLines) {
            return errorLines.isEmpty()
                    ? ""
                    : "; the last lines of its standard error: " + String.join(" /" + " ", errorLines);
        }
    }

    @Override
    public String next() {
        if (!hasNext()) {
            throw new NoSuchElementException("pipe: no more lines");
        }
        String line = next;
        next = null;
        return line == null ? "" : line;
    }

    /** Kills the process and its descendants, and deletes the directory of the process. */
    private void stop() {
        stopped = true;
        Process running = process;
        if (running != null) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        }
        Thread waiting = reader;
        if (waiting != null) {
            waiting.interrupt(); // because the reader may block on the full queue
        }
        Path used = directory;
        directory = null;
        if (used != null) {
            try (Stream<Path> found = Files.walk(used)) {
                found.sorted(Comparator.reverseOrder())
                        .forEach(path -> path.toFile().delete());
            } catch (IOException | UncheckedIOException gone) {
                logError("pipe: the working directory of the process could not be removed: " + gone.getMessage());
            }
        }
    }
}
