package dev.hearth.remoteshell.internal;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** What is said between a shell and the kernel it was pointed at: one line at a time over one connection. */
final class ShellProtocol {
    static final String ENDPOINT = "shell";

    static final Protocol PROTOCOL = Protocol.named("shell", MethodHandles.lookup())
            .message(1, Run.class)
            .message(2, Ended.class)
            .message(3, Interrupt.class)
            .build();

    private ShellProtocol() {}

    /** Asked: run a line; {@code width} is in characters. Answered by {@link Ended}. */
    record Run(String line, int width) {}

    /** The answer: what the line wrote, and its exit status. */
    record Ended(int status, String output, String errors) {}

    /** Sent: nobody waits any more for the line that this peer had run. */
    record Interrupt() {}
}
