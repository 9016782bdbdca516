package dev.hearth.testkit.machine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Runs short commands of the operating system with a timeout. The output goes to a file, so that reading it does not
 * block if a child process hangs.
 */
public final class SystemCommands {
    private static final long SECONDS_MAX = 30;
    private static final long END_SECONDS_MAX = 5;

    private SystemCommands() {}

    /** Runs a command and returns its output; fails the test if the command cannot be run or fails. */
    public static String run(String... command) throws IOException {
        Outcome outcome = outcome(List.of(command));
        if (!outcome.refusal.isEmpty()) {
            throw new AssertionError(String.join(" ", command) + ": " + outcome.refusal + " (expected: done)");
        }
        return outcome.said;
    }

    /** Runs a command and returns the reason of its failure; empty if the command succeeded. */
    public static String tried(String... command) throws IOException {
        return outcome(List.of(command)).refusal;
    }

    private record Outcome(String said, String refusal) {}

    private static Outcome outcome(List<String> command) throws IOException {
        Path output = Files.createTempFile("command", ".txt");
        try {
            Process process;
            try {
                process = new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
            } catch (IOException missing) {
                return new Outcome("", "cannot be run, " + missing.getMessage());
            }
            boolean ended = ended(process);
            String said = Files.readString(output);
            if (!ended) {
                return new Outcome(said, "does not end within " + SECONDS_MAX + " s " + said.strip());
            }
            int status = process.exitValue();
            return new Outcome(said, status == 0 ? "" : ("exit " + status + " " + said).strip());
        } finally {
            Files.delete(output);
        }
    }

    /**
     * Waits at most {@link #SECONDS_MAX} seconds for the end of {@code process}, and returns true. If it has not ended
     * by then, kills it and returns false.
     */
    private static boolean ended(Process process) {
        try {
            if (process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)) {
                return true;
            }
            process.destroyForcibly().waitFor(END_SECONDS_MAX, TimeUnit.SECONDS);
        } catch (InterruptedException wanted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        return false;
    }
}
