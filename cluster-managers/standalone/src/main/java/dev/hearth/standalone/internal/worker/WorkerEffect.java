package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import java.time.Duration;

/** What the worker wants done, in order. */
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

    /** Sends to the master that is connected now. */
    record Send(Record message) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onTell(this);
        }
    }

    record Connect(RpcAddress master, Duration after) implements WorkerEffect {
        @Override
        public void perform(Handler handler) {
            handler.onConnect(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
        void onStart(Start effect);

        void onStop(Stop effect);

        void onTell(Send effect);

        void onConnect(Connect effect);
    }
}
