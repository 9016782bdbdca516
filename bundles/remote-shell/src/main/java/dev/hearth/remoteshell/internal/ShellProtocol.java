package dev.hearth.remoteshell.internal;

import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;

/** Messages between a remote shell and a kernel: one command at a time per connection. */
final class ShellProtocol {
    static final String ENDPOINT = "shell";

    static final Protocol PROTOCOL = Protocol.named("shell", MethodHandles.lookup())
            .message(1, Run.class)
            .message(2, Ended.class)
            .message(3, Interrupt.class)
            .build();

    private ShellProtocol() {}

    /** Ask: runs a command line; {@code width} is that of the terminal in characters. Answered by {@link Ended}. */
    record Run(String line, int width) {}

    /** Answer to {@link Run}: output and exit status. */
    record Ended(int status, String output, String errors) {}

    /** Send: interrupts the running command of this peer. */
    record Interrupt() {}
}
