package dev.hearth.remoteshell.internal;

import dev.hearth.api.HearthException;
import dev.hearth.remoteshell.internal.ShellProtocol.Ended;
import dev.hearth.remoteshell.internal.ShellProtocol.Interrupt;
import dev.hearth.remoteshell.internal.ShellProtocol.Run;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.RemoteCommands;
import java.time.Duration;

/**
 * Connection over which lines of the Hearth shell run in another process. Owned by the code that opened it; any thread
 * may call.
 */
final class RemoteSession implements RemoteCommands.Session {
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
                    shell.ask(new Run(line, width), Ended.class, timeout), "command line '" + line + "' at " + address);
            return new CommandResult(ended.status(), ended.output(), ended.errors());
        } catch (HearthException failure) {
            throw switch (Failures.code(failure)) {
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
    }

    @Override
    public void close() {
        env.close();
    }
}
