package dev.hearth.spi.shell;

import org.osgi.annotation.versioning.ProviderType;

/**
 * Runs lines of the Hearth shell in this process. Implemented with the Apache Felix Gogo shell. Any thread may call.
 */
@ProviderType
public interface CommandRunner {
    /**
     * Runs one line of the shell, for example {@code hearth:info --json}, and waits until it has ended. {@code width}
     * is the width of the terminal in characters.
     */
    CommandResult run(String line, int width);

    /**
     * Runs one line like {@link #run(String, int)}, but writes its output to {@code terminal} while it runs. Returns
     * its exit status.
     */
    default int run(String line, LineTerminal terminal) {
        CommandResult result = run(line, terminal.width());
        terminal.print(result.output());
        terminal.printError(result.errors());
        return result.status();
    }

    /**
     * Result of a line of the Hearth shell: its output, its error text, and its exit status, which is 0 unless the
     * command failed.
     */
    record CommandResult(int status, String output, String errors) {}
}
