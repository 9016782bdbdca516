package dev.hearth.remoteshell.internal;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** Messages between a remote shell and the process that runs its lines. Each connection runs one line at a time. */
final class ShellProtocol {
    static final String ENDPOINT = "shell";

    static final Protocol PROTOCOL = Protocol.named("shell", MethodHandles.lookup())
            .message(1, Run.class)
            .message(2, Ended.class)
            .message(3, Interrupt.class)
            .build();

    private ShellProtocol() {}

    /**
     * Request to run a line of the Hearth shell. {@code width} is the width of the terminal in characters. Answered by
     * {@link Ended}.
     */
    record Run(String line, int width) {}

    /** Answer to {@link Run}, with the output, the error text and the exit status of the line. */
    record Ended(int status, String output, String errors) {}

    /** Interrupts the shell line that runs for the same connection. Not answered. */
    record Interrupt() {}
}
