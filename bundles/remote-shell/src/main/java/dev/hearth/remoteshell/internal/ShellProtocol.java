package dev.hearth.remoteshell.internal;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/**
 * Messages between a remote shell and the process that runs its commands. Each connection runs one command at a time.
 */
final class ShellProtocol {
    static final String ENDPOINT = "shell";

    static final Protocol PROTOCOL = Protocol.named("shell", MethodHandles.lookup())
            .message(1, Run.class)
            .message(2, Ended.class)
            .message(3, Interrupt.class)
            .build();

    private ShellProtocol() {}

    /**
     * Request to run a command line. {@code width} is the width of the terminal in characters. Answered by {@link
     * Ended}.
     */
    record Run(String line, int width) {}

    /** Answer to {@link Run}, with the output and exit status of the command. */
    record Ended(int status, String output, String errors) {}

    /** Interrupts the command that runs on the same connection. Not answered. */
    record Interrupt() {}
}
