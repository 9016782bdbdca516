package dev.hearth.kubernetes.internal.anchor;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import java.time.Duration;

/** Effect of an event on an {@link Anchor}. Immutable. */
sealed interface AnchorEffect {
    void perform(Handler handler);

    /** Sends a request, whose answer goes to {@link Anchor#answered}. */
    record Send(AnchorRequest request) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSend(this);
        }
    }

    /** This driver holds the anchor, with the epoch of the machine. */
    record Held(ObjectFacts anchor) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onHeld(this);
        }
    }

    /** The anchor was deleted and is there again, with another uid. */
    record Recreated(ObjectFacts anchor) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onRecreated(this);
        }
    }

    /** Another driver has taken the anchor, with {@code epoch}. */
    record Superseded(long epoch) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSuperseded(this);
        }
    }

    /** The anchor could not be placed or taken; {@code unsure} if it may exist nevertheless. */
    record Failed(Answer why, boolean unsure) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFailed(this);
        }
    }

    /** The driver does not hold the anchor any more; {@code left} if it may exist. */
    record Released(boolean left) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onReleased(this);
        }
    }

    /** Calls {@link Anchor#wake} after a delay. */
    record Wake(Duration after) implements AnchorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onSend(Send effect);

        void onHeld(Held effect);

        void onRecreated(Recreated effect);

        void onSuperseded(Superseded effect);

        void onFailed(Failed effect);

        void onReleased(Released effect);

        void onWake(Wake effect);
    }
}
