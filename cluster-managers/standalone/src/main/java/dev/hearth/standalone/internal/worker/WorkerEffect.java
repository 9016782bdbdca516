package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import java.time.Duration;

/** Effects that the worker has decided on. They must be performed in order. */
sealed interface WorkerEffect {
    void perform(Handler handler);

    record Start(String child, ChildSpec spec) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStart(this);
        }
    }

    record Stop(String child) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStop(this);
        }
    }

    /** Fetches the uploaded files of a driver from the master {@code request} names, before the driver starts. */
    record Fetch(String child, DriverFiles.Request request) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFetch(this);
        }
    }

    /** Removes the uploaded files of a driver that has ended for good. Its output stays. */
    record RemoveFiles(DriverFiles.Request request) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onRemoveFiles(this);
        }
    }

    /** Calls {@link Worker#restart} for the driver {@code child}, whose attempt {@code attempt} has ended, after a delay. */
    record Wake(String child, int attempt, Duration after) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    /** Closes the connection to the master. */
    record Disconnect(String reason) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDisconnect(this);
        }
    }

    /** Cancels a fetch. */
    record CancelFetch(String child) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCancelFetch(this);
        }
    }

    /** Sends a message to the master to which the worker is connected. */
    record Send(Record message) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSend(this);
        }
    }

    /**
     * Sends the message about the end of the child {@code child}, and calls {@link Worker#taken} when the master has
     * acknowledged it.
     */
    record Report(String child, Record message) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onReport(this);
        }
    }

    record Connect(RpcAddress master, Duration after) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onConnect(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onStart(Start effect);

        void onStop(Stop effect);

        void onFetch(Fetch effect);

        void onCancelFetch(CancelFetch effect);

        void onRemoveFiles(RemoveFiles effect);

        void onWake(Wake effect);

        void onDisconnect(Disconnect effect);

        void onSend(Send effect);

        void onReport(Report effect);

        void onConnect(Connect effect);
    }
}
