package dev.hearth.standalone.internal.master;

import dev.hearth.spi.rpc.Protocol;

/**
 * Effects that the master has decided on. They must be performed in order. Peers are identified by their numbers;
 * effects for lost peers are ignored.
 */
sealed interface MasterEffect {
    void perform(Handler handler);

    /** Sends {@code message} to an endpoint of a peer. */
    record Send(long peer, String endpoint, Protocol protocol, Record message) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSend(this);
        }
    }

    /** Closes the connection to a peer that has been silent for too long. */
    record Disconnect(long peer) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDisconnect(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onSend(Send effect);

        void onDisconnect(Disconnect effect);
    }
}
