package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;

/** What a local cluster wants done, in order. */
sealed interface LocalClusterEffect {
    void perform(Handler handler);

    /** Starts a process. Its coming or failing is told back. */
    record Start(ExecutorId executor) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStart(this);
        }
    }

    /** Has a process end, by force where it must. Its end is told back. */
    record Stop(ExecutorId executor) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStop(this);
        }
    }

    record Lost(ExecutorId executor, LostExecutor why) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLost(this);
        }
    }

    /** No executor comes any more. */
    record GiveUp(String reason) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onGiveUp(this);
        }
    }

    /** Asks again later what is to be started. */
    record Wake(Duration after) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    interface Handler { // no default methods: they would hide a missing case
        void onStart(Start effect);

        void onStop(Stop effect);

        void onLost(Lost effect);

        void onGiveUp(GiveUp effect);

        void onWake(Wake effect);
    }
}
