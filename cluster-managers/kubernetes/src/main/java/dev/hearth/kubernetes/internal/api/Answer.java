package dev.hearth.kubernetes.internal.api;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Answer to one request to the API server. {@link Unknown} means that the request may or may not have had its effect,
 * so the same request is repeated. Immutable.
 */
public sealed interface Answer {
    <R> R accept(Handler<R> handler);

    /** The request had its effect; {@code object} is the object afterwards, if the server returned it. */
    record Done(Optional<ObjectFacts> object) implements Answer {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onDone(this);
        }
    }

    /**
     * Page of a list. {@code next} continues it; empty on the last page. {@code version} is that of the whole list.
     * {@code serverSeconds} is the time of the server's clock, in seconds since 1970.
     */
    record Page(List<ObjectFacts> objects, String version, String next, long serverSeconds) implements Answer {
        public Page {
            objects = List.copyOf(objects);
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onPage(this);
        }
    }

    /** An object of that name exists already. */
    record Exists(ObjectFacts object) implements Answer {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onExists(this);
        }
    }

    /** There is no such object. */
    record Missing() implements Answer {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onMissing(this);
        }
    }

    /** The request had no effect. {@code retryAfter} is zero unless the server demands a pause. */
    record Refused(RefusalKind kind, String words, Duration retryAfter) implements Answer {
        public Refused(RefusalKind kind, String words) {
            this(kind, words, Duration.ZERO);
        }

        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onRefused(this);
        }
    }

    /** No answer arrived, or one that cannot be read. */
    record Unknown(String words) implements Answer {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onUnknown(this);
        }
    }

    /** Text that the server returned: part of a container's log, or the version of the server. */
    record Text(String text) implements Answer {
        @Override
        public <R> R accept(Handler<R> handler) {
            return handler.onText(this);
        }
    }

    interface Handler<R> { // without default methods, so that a handler must answer each new case to compile
        R onDone(Done answer);

        R onPage(Page answer);

        R onExists(Exists answer);

        R onMissing(Missing answer);

        R onRefused(Refused answer);

        R onUnknown(Unknown answer);

        R onText(Text answer);
    }
}
