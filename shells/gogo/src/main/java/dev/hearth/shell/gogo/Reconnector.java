package dev.hearth.shell.gogo;

import dev.hearth.api.HearthException;
import dev.hearth.spi.shell.RemoteCommands;
import dev.hearth.spi.time.Pauses;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Connects a remote shell again after its process was restarted: several attempts, with growing pauses and a limit for
 * the whole wait. An interrupt of the thread, which is Ctrl-C, ends the wait. Used by the shell's thread.
 */
final class Reconnector {
    static final long PAUSE_MILLIS_FIRST = 100;
    static final long PAUSE_MILLIS_MAX = 5_000;
    /** Maximum sum of the pauses; a process that has not come back by then is not expected to. */
    static final long WAIT_MILLIS_MAX = 300_000;

    private final Supplier<RemoteCommands.Session> connect;
    private final Pauses pauses;
    private final PrintStream err;

    Reconnector(Supplier<RemoteCommands.Session> connect, Pauses pauses, PrintStream err) {
        this.connect = connect;
        this.pauses = pauses;
        this.err = err;
    }

    /** Returns a new session; empty if the wait was ended or has lasted too long, which it reports. */
    Optional<RemoteCommands.Session> reconnect() {
        err.println("(connection lost; reconnecting, Ctrl-C ends the wait)");
        long waited = 0;
        long pause = PAUSE_MILLIS_FIRST;
        try {
            while (true) {
                pauses.millis(pause);
                waited += pause;
                try {
                    RemoteCommands.Session session = connect.get();
                    err.println("(reconnected)");
                    return Optional.of(session);
                } catch (HearthException absent) {
                    if (waited >= WAIT_MILLIS_MAX) {
                        err.println("error: " + absent.getMessage() + "; no connection within " + WAIT_MILLIS_MAX / 1000
                                + " s");
                        return Optional.empty();
                    }
                    pause = Math.min(2 * pause, PAUSE_MILLIS_MAX);
                }
            }
        } catch (InterruptedException wanted) {
            err.println("(not connected)");
            return Optional.empty();
        }
    }
}
