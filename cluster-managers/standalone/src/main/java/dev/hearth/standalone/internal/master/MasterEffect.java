package dev.hearth.standalone.internal.master;

import dev.hearth.spi.rpc.Protocol;

/** What the master wants done, in order. Peers are named by their number; a peer that is gone meanwhile is passed over. */
sealed interface MasterEffect {
    void perform(Handler handler);

    /** Sends {@code message} to an endpoint of a peer. */
    record Send(long peer, String endpoint, Protocol protocol, Record message) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onTell(this);
        }
    }

    /** Ends the connection to a peer that was given up. */
    record Disconnect(long peer) implements MasterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDrop(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
        void onTell(Send effect);

        void onDrop(Disconnect effect);
    }
}
