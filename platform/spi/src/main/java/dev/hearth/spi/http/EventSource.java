package dev.hearth.spi.http;

import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.annotation.versioning.ProviderType;

/** Gives server-sent events to one page that listens. */
@ConsumerType
@FunctionalInterface
public interface EventSource {
    /** A page listens; {@code lastEventId} is the last it has seen of an earlier connection. */
    void opened(Listener listener, Optional<String> lastEventId);

    /** One page that listens. Any thread may call. */
    @ProviderType
    interface Listener {
        /** Sends an event; false when the page is gone or too slow, and then nothing more can be sent. */
        boolean send(Event event);

        /** Runs once, when the page is gone; at once when it is gone already. */
        void whenClosed(Runnable action);

        void close();
    }

    /** One event; an empty id or name is left out. The id comes back as the last one seen when a page connects again. */
    record Event(String id, String name, String data) {
        public static Event of(String name, String data) {
            return new Event("", name, data);
        }
    }
}
