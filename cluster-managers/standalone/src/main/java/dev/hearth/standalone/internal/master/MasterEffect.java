package dev.hearth.standalone.internal.master;

import dev.hearth.spi.rpc.Protocol;

/**
 * Effects of the master, to be performed in order. Peers are identified by their numbers; effects for lost peers are
 * ignored.
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

    /** Closes the connection to a silent peer. */
    record Disconnect(long peer) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDisconnect(this);
        }
    }

    interface Handler { // no default methods, so that handlers without a method for a new effect do not compile
        void onSend(Send effect);

        void onDisconnect(Disconnect effect);
    }
}
