package dev.hearth.local.cluster;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import java.time.Duration;

/** Effects that a {@link LocalCluster} has decided on. They must be performed in order. */
sealed interface LocalClusterEffect {
    void perform(Handler handler);

    /**
     * Starts an executor process of a profile. One of the default profile has the addresses of resources in the share
     * {@code share}. The result is reported with {@link LocalCluster#started} or {@link
     * LocalCluster#ended}.
     */
    record Start(ExecutorId executor, int share, ProfileId profile) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStart(this);
        }
    }

    /** Stops an executor process, by force if necessary. Its exit is reported with {@link LocalCluster#ended}. */
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

    /** Reports to the driver that too many executors have failed. The application then fails. */
    record GiveUp(String reason) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onGiveUp(this);
        }
    }

    /** Calls {@link LocalCluster#wake} after a delay. */
    record Wake(Duration after) implements LocalClusterEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onStart(Start effect);

        void onStop(Stop effect);

        void onLost(Lost effect);

        void onGiveUp(GiveUp effect);

        void onWake(Wake effect);
    }
}
