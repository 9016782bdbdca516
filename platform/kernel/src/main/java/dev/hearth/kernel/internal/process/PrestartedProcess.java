package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Process that waits for its launch orders in {@code directory}, an absolute path, until a child needs it. When it becomes
 * a child, its directory becomes that of the child, and a link takes the place of the directory, because Java resolves
 * relative paths against the directory in which the process started. Immutable.
 */
record PrestartedProcess(String role, ProcessStart.Forked forked, Path directory) {
    private static final Logger LOG = LoggerFactory.getLogger(PrestartedProcess.class);
    /** End of the name of the directory that a child had before. */
    static final String REPLACED = ".replaced";

    Process process() {
        return forked.process();
    }

    CompletionStage<Process> exit() {
        return process().onExit().minimalCompletionStage();
    }

    /**
     * Moves the process to {@code target}, an existing directory whose files stay where they are, and returns whether it
     * is there. If not, nothing has changed.
     */
    boolean moveTo(Path target) throws IOException {
        Path replaced = directory.resolveSibling(directory.getFileName() + REPLACED);
        try {
            Files.move(target, replaced);
        } catch (IOException elsewhere) { // for example on another file system
            LOG.debug("{}: not moved to {}", this, target, elsewhere);
            return false;
        }
        try {
            Files.move(directory, target);
        } catch (IOException elsewhere) {
            LOG.debug("{}: not moved to {}", this, target, elsewhere);
            Files.move(replaced, target);
            return false;
        }
        Files.createSymbolicLink(directory, target);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(replaced)) {
            for (Path file : files) {
                if (!file.endsWith(WorkDirectory.MARKER)) {
                    Files.move(file, target.resolve(file.getFileName()));
                }
            }
        }
        remove(replaced);
        return true;
    }

    /** Asks the process to end, and removes its directory when it has. */
    void end() {
        exit().thenRun(this::forget);
        process().toHandle().destroy();
        try {
            process().getOutputStream().close();
        } catch (IOException e) {
            LOG.debug("{}: standard input was closed by the process", this, e);
        }
    }

    /** Waits until the process that was asked to end has ended; kills it at {@code deadline}. */
    void endBy(long deadlineNanos) {
        try {
            if (!process().waitFor(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                process().destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process().destroyForcibly();
        }
        forget();
    }

    /** Removes the directory, or the link in its place, after the end of the process. */
    void forget() {
        try {
            remove(directory);
        } catch (IOException failure) {
            LOG.warn("{}: {} is not removed: {}", this, directory, failure.toString());
        }
    }

    /** Removes a link, or a directory that holds nothing but the marker of work directories. */
    static void remove(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            Files.deleteIfExists(path.resolve(WorkDirectory.MARKER));
        }
        Files.deleteIfExists(path);
    }

    @Override
    public String toString() {
        return role + " process " + process().pid();
    }
}
