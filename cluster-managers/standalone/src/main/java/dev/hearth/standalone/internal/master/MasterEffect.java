package dev.hearth.standalone.internal.master;

import dev.hearth.spi.rpc.Protocol;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;

/**
 * Action that the master has decided on and {@link MasterShell} performs. Actions must be performed in order.
 * {@code peer} is the number of the connection concerned; an action for a lost connection does nothing.
 */
sealed interface MasterEffect {
    void perform(Handler handler);

    /** Whether this starts a driver, which must not happen unless the master will remember it. */
    default boolean startsDriver() {
        return false;
    }

    /** Sends {@code message} to the endpoint {@code endpoint} of a peer, in the protocol {@code protocol}. */
    record Send(long peer, String endpoint, Protocol protocol, Record message) implements MasterEffect {
        @Override
        public boolean startsDriver() {
            return message instanceof LaunchDriver || message instanceof PermitRestart;
        }

        @Override
        public void perform(Handler handler) {
            handler.onSend(this);
        }
    }

    /** Closes the connection {@code peer}, over which no message has arrived for too long. */
    record Disconnect(long peer) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDisconnect(this);
        }
    }

    /** Writes {@code text} to the log, as a warning or for information. */
    record Note(MasterLog.Cause cause, boolean warning, String text) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onNote(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onSend(Send effect);

        void onDisconnect(Disconnect effect);

        void onNote(Note effect);
    }
}
