package dev.hearth.yarn.internal.tokens;

import java.time.Duration;

/** Action that a schedule of tokens asks of its owner. Immutable. */
public sealed interface TokenEffect {
    void perform(Handler handler);

    /** Make new tokens, and report what became of it. */
    record Fetch() implements TokenEffect {
        @Override
        public void perform(Handler handler) {
            handler.onFetch();
        }
    }

    /** Call {@link TokenSchedule#tick} after a time. */
    record Wake(Duration after) implements TokenEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(after);
        }
    }

    /** Log a sentence. */
    record Note(Level level, String words) implements TokenEffect {
        @Override
        public void perform(Handler handler) {
            handler.onNote(level, words);
        }
    }

    /** Urgency of a sentence. */
    enum Level {
        INFO,
        WARNING,
        ERROR
    }

    /** Performs effects. */
    interface Handler {
        void onFetch();

        void onWake(Duration after);

        void onNote(Level level, String words);
    }
}
