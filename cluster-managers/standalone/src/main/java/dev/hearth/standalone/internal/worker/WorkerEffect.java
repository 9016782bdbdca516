package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import java.time.Duration;

/** Effects of the worker, to be performed in order. */
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

    /** Sends a message to the master to which the worker is connected. */
    record Send(Record message) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSend(this);
        }
    }

    record Connect(RpcAddress master, Duration after) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onConnect(this);
        }
    }

    interface Handler { // no default methods, so that handlers without a method for a new effect do not compile
        void onStart(Start effect);

        void onStop(Stop effect);

        void onSend(Send effect);

        void onConnect(Connect effect);
    }
}
