package dev.hearth.spi.shell;

import org.osgi.annotation.versioning.ProviderType;

/** Runs command lines as if they were typed into the shell of this process. Any thread may call. */
@ProviderType
public interface CommandRunner {
    /** Runs one line, for example {@code hearth:info --json}, and waits for its end. {@code width} is in characters. */
    CommandResult run(String line, int width);

    /** What a command wrote, and its exit status: 0, or that of the failure whose message is in {@code errors}. */
    record CommandResult(int status, String output, String errors) {}
}
