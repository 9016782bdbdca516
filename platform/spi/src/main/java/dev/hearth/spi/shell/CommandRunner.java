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
     * Result of a line of the Hearth shell: its output, its error text, and its exit status, which is 0 unless the
     * command failed.
     */
    record CommandResult(int status, String output, String errors) {}
}
