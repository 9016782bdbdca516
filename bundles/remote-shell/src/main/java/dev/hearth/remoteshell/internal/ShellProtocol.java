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
            .message(4, More.class)
            .message(5, Piece.class)
            .message(6, Resized.class)
            .build();

    private ShellProtocol() {}

    /**
     * Request to run a line of the Hearth shell. {@code width} is the width of the terminal in characters. Answered by
     * {@link Ended}. If {@code isStreamed}, the requester asks for {@link More} output until then; {@code colours} says
     * whether the output may contain them.
     */
    record Run(String line, int width, boolean isStreamed, boolean colours) {}

    /**
     * Answer to {@link Run}, with the exit status of the line, and the output and error text that no {@link Piece} has
     * carried.
     */
    record Ended(int status, String output, String errors) {}

    /**
     * Request for output of the streamed line that runs for the same connection. Answered by {@link Piece} as soon as
     * there is some, when the line ends, or at once if no line runs.
     */
    record More() {}

    /** Answer to {@link More}: the output and error text since the last piece. */
    record Piece(String output, String errors) {}

    /** Announces the new width of the terminal for the line that runs for the same connection. Not answered. */
    record Resized(int width) {}

    /** Interrupts the shell line that runs for the same connection. Not answered. */
    record Interrupt() {}
}
