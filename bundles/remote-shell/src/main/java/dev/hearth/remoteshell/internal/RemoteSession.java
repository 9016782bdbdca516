package dev.hearth.remoteshell.internal;

import dev.hearth.api.HearthException;
import dev.hearth.remoteshell.internal.ShellProtocol.Ended;
import dev.hearth.remoteshell.internal.ShellProtocol.Interrupt;
import dev.hearth.remoteshell.internal.ShellProtocol.More;
import dev.hearth.remoteshell.internal.ShellProtocol.Piece;
import dev.hearth.remoteshell.internal.ShellProtocol.Resized;
import dev.hearth.remoteshell.internal.ShellProtocol.Run;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.LineTerminal;
import dev.hearth.spi.shell.RemoteCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Connection over which lines of the Hearth shell run in another process. Owned by the code that opened it; any thread
 * may call.
 */
final class RemoteSession implements RemoteCommands.Session {
    /** Maximum time that an interrupted line has for its last output. */
    private static final Duration INTERRUPT_WAIT = Duration.ofSeconds(2);
    /** Maximum time that a process has to show that it is there. */
    private static final Duration ANSWER_WAIT = Duration.ofSeconds(10);

    private final RpcEnv env;
    private final RpcAddress address;
    private final EndpointRef shell;

    RemoteSession(RpcEnv env, RpcAddress address, Peer peer) {
        this.env = env;
        this.address = address;
        this.shell = peer.endpoint(ShellProtocol.ENDPOINT, ShellProtocol.PROTOCOL);
    }

    @Override
    public CommandResult run(String line, int width, Duration timeout) {
        try {
            Ended ended = BlockingReplies.forAnswer(
                    shell.ask(new Run(line, width, false, false), Ended.class, timeout), subject(line));
            return new CommandResult(ended.status(), ended.output(), ended.errors());
        } catch (HearthException failure) {
            throw failed(failure);
        }
    }

    @Override
    public int run(String line, LineTerminal terminal, Duration timeout) {
        CompletableFuture<Ended> ended = shell.ask(
                        new Run(line, terminal.width(), true, terminal.hasColours()), Ended.class, timeout)
                .toCompletableFuture();
        terminal.whenResized(width -> shell.send(new Resized(width)));
        try {
            boolean isStreamed = true;
            while (isStreamed && !ended.isDone()) {
                isStreamed = printMore(line, ended, terminal, timeout);
            }
            return print(BlockingReplies.forAnswer(ended, subject(line)), terminal);
        } catch (HearthException failure) {
            HearthException known = failed(failure);
            return endedAfterInterrupt(ended, known, terminal);
        }
    }

    /** Prints the next piece of the output. Returns false if the other process sends none, as older versions do. */
    private boolean printMore(String line, CompletableFuture<Ended> ended, LineTerminal terminal, Duration timeout) {
        CompletableFuture<Piece> more =
                shell.ask(new More(), Piece.class, timeout).toCompletableFuture();
        try {
            Piece piece = BlockingReplies.forAnswer(more, subject(line));
            terminal.print(piece.output());
            terminal.printError(piece.errors());
            return true;
        } catch (HearthException failure) {
            if (Failures.code(failure) == ErrorCode.MALFORMED_MESSAGE) {
                return false;
            }
            if (ended.isDone() && !ended.isCompletedExceptionally()) {
                return true;
            }
            throw failure;
        }
    }

    /**
     * Prints the last output of a line that was interrupted, if it ends soon, and returns its exit status; otherwise
     * throws {@code failure}.
     */
    private int endedAfterInterrupt(CompletableFuture<Ended> ended, HearthException failure, LineTerminal terminal) {
        if (Failures.code(failure) == ErrorCode.COMMAND_FAILED) {
            try {
                return print(ended.get(INTERRUPT_WAIT.toMillis(), TimeUnit.MILLISECONDS), terminal);
            } catch (ExecutionException | TimeoutException late) {
                throw failure;
            } catch (InterruptedException again) {
                throw failure;
            }
        }
        throw failure;
    }

    private static int print(Ended ended, LineTerminal terminal) {
        terminal.print(ended.output());
        terminal.printError(ended.errors());
        return ended.status();
    }

    private String subject(String line) {
        return "command line '" + line + "' at " + address;
    }

    private HearthException failed(HearthException failure) {
        return switch (Failures.code(failure)) {
            case NO_ENDPOINT ->
                ErrorCode.NO_ENDPOINT.failure(
                        address + ": the process there accepts no shell commands (expected: a process of Hearth"
                                + " with the bundle hearth-remote-shell); is that bundle in bundles/ there?",
                        failure);
            case ASK_TIMED_OUT, COMMAND_FAILED -> {
                shell.send(new Interrupt()); // stops the command, because the caller no longer waits for its result
                yield failure;
            }
            default -> failure;
        };
    }

    @Override
    public boolean isConnected() {
        try {
            BlockingReplies.forAnswer(shell.ask(new More(), Piece.class, ANSWER_WAIT), address.toString());
            return true;
        } catch (HearthException failure) {
            return switch (Failures.code(failure)) {
                case PEER_LOST, PEER_UNREACHABLE, ASK_TIMED_OUT, ASK_ABORTED -> false;
                default -> true; // the process answered, if only that it does not know the question
            };
        }
    }

    @Override
    public void close() {
        env.close();
    }
}
