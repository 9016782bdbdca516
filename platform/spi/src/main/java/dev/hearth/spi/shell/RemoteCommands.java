package dev.hearth.spi.shell;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import java.time.Duration;
import org.osgi.annotation.versioning.ProviderType;

/** Runs lines of the Hearth shell in other processes. Implemented by the bundle remote-shell. */
@ProviderType
public interface RemoteCommands {
    /**
     * Connects to the running Hearth process at address {@code kernel}; fails with {@code PEER_UNREACHABLE} or {@code
     * PROTOCOL_MISMATCH}.
     */
    Session open(RpcAddress kernel);

    /** Connection over which lines of the Hearth shell run in one other process. Any thread may call. */
    interface Session extends AutoCloseable {
        CommandResult run(String line, int width, Duration timeout);

        /**
         * Runs a line like {@link #run(String, int, Duration)}, but writes its output to {@code terminal} as the other
         * process prints it. Returns its exit status.
         */
        default int run(String line, LineTerminal terminal, Duration timeout) {
            CommandResult result = run(line, terminal.width(), timeout);
            terminal.print(result.output());
            terminal.printError(result.errors());
            return result.status();
        }

        /** Whether the other process answers. If not, the session is of no further use. */
        default boolean isConnected() {
            return true;
        }

        @Override
        void close();
    }
}
