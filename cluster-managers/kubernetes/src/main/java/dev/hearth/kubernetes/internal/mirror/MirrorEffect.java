package dev.hearth.kubernetes.internal.mirror;

import dev.hearth.kubernetes.internal.api.ObjectFacts;
import java.time.Duration;

/** Effect of an event on a {@link Mirror}. Immutable. */
sealed interface MirrorEffect {
    void perform(Handler handler);

    /** Requests the page {@code next} of the list number {@code number}. */
    record ListPage(long number, String next) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onListPage(this);
        }
    }

    /** Opens the watch number {@code number}. */
    record OpenWatch(long number, String version) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onOpenWatch(this);
        }
    }

    record CloseWatch() implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onCloseWatch(this);
        }
    }

    /** Objects are listed at an interval from now on, because the API server forbids the watch with {@code words}. */
    record Polling(String words, Duration interval) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onPolling(this);
        }
    }

    record Seen(ObjectFacts object) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onSeen(this);
        }
    }

    /** The object, as it was seen last, does not exist any more. */
    record Vanished(ObjectFacts object) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onVanished(this);
        }
    }

    /** A list that was requested at {@code requestedNanos} is complete; its objects were reported before. */
    record Listed(long requestedNanos) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onListed(this);
        }
    }

    /** The copy is out of date because of {@code reason}; an empty reason says that it is up to date again. */
    record Stale(String reason) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStale(this);
        }
    }

    /** Calls {@link Mirror#wake} after a delay. */
    record Wake(Duration after) implements MirrorEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onListPage(ListPage effect);

        void onOpenWatch(OpenWatch effect);

        void onCloseWatch(CloseWatch effect);

        void onPolling(Polling effect);

        void onSeen(Seen effect);

        void onVanished(Vanished effect);

        void onListed(Listed effect);

        void onStale(Stale effect);

        void onWake(Wake effect);
    }
}
