package dev.hearth.testkit.machine;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Sends signals to processes of the machine and waits for their end, each with a timeout. */
public final class Processes {
    private static final Duration GONE_WITHIN = Duration.ofSeconds(15);

    private Processes() {}

    /** Waits until all of {@code processes} have ended; fails the test if one still runs after 15 s. */
    public static void waitForTheEndOf(Collection<ProcessHandle> processes) throws InterruptedException {
        CompletableFuture<?>[] ends =
                processes.stream().map(ProcessHandle::onExit).toArray(CompletableFuture<?>[]::new);
        try {
            CompletableFuture.allOf(ends).get(GONE_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (TimeoutException late) {
            List<ProcessHandle> alive =
                    processes.stream().filter(ProcessHandle::isAlive).toList();
            throw new AssertionError(
                    alive + " still run after " + GONE_WITHIN.toSeconds() + " s (expected: no more)", late);
        } catch (ExecutionException impossible) {
            throw new AssertionError("the end of " + processes + ": " + impossible, impossible);
        }
    }

    /**
     * Kills the process {@code pid}, as kill -9 does, and waits for its end; does nothing if there is no such process.
     */
    public static void kill(long pid) throws InterruptedException {
        List<ProcessHandle> process = ProcessHandle.of(pid).stream().toList();
        process.forEach(ProcessHandle::destroyForcibly);
        waitForTheEndOf(process);
    }

    /** Sends the process {@code pid} the signal {@code name}, for example {@code STOP}. */
    public static void signal(String name, long pid) throws IOException {
        SystemCommands.run("kill", "-" + name, String.valueOf(pid));
    }
}
