package dev.hearth.kubernetes.internal.following;

import dev.hearth.spi.cluster.SubmissionState;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** Decision of a {@link DriverFollowing}, which its shell carries out. Immutable. */
interface FollowingEffect {
    void perform(Handler handler);

    /** Prints lines for the user. */
    record Say(List<String> lines) implements FollowingEffect {
        public Say {
            lines = List.copyOf(lines);
        }

        @Override
        public void perform(Handler handler) {
            handler.onSay(this);
        }
    }

    /** Reports the state of the submission; a final state comes once, last. {@code log} is the end of the driver's log. */
    record Changed(
            SubmissionState state, String placement, String message, OptionalInt exitStatus, int attempt, String log)
            implements FollowingEffect {
        @Override
        public void perform(Handler handler) {
            handler.onChanged(this);
        }
    }

    /** Reads the end of the driver's log; the answer goes to {@link DriverFollowing#logRead}. */
    record ReadLog() implements FollowingEffect {
        @Override
        public void perform(Handler handler) {
            handler.onReadLog(this);
        }
    }

    /** Deletes the driver's pod, which cannot start. */
    record DeletePod() implements FollowingEffect {
        @Override
        public void perform(Handler handler) {
            handler.onDeletePod(this);
        }
    }

    /** Reports that the state of the driver is unknown from now on. */
    record Lost(String reason) implements FollowingEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLost(this);
        }
    }

    /** Calls {@link DriverFollowing#wake} after a delay. */
    record Wake(Duration after) implements FollowingEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onSay(Say effect);

        void onChanged(Changed effect);

        void onReadLog(ReadLog effect);

        void onDeletePod(DeletePod effect);

        void onLost(Lost effect);

        void onWake(Wake effect);
    }
}
