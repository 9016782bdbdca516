package dev.hearth.spi.http;

import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;
import org.osgi.annotation.versioning.ProviderType;

/** Source of server-sent events. The server calls it once for each client that connects. */
@ConsumerType
@FunctionalInterface
public interface EventSource {
    /**
     * Called when a client has connected. {@code lastEventId} is the id of the last event that it received on an
     * earlier connection.
     */
    void opened(Listener listener, Optional<String> lastEventId);

    /** Connection to one client. Any thread may call. */
    @ProviderType
    interface Listener {
        /**
         * Sends an event. Returns false if the client has disconnected or is too slow; no further event can be sent
         * then.
         */
        boolean send(Event event);

        /**
         * Runs {@code action} once when the client disconnects, or immediately if the client has already disconnected.
         */
        void whenClosed(Runnable action);

        void close();
    }

    /**
     * Event to send. An empty id or name is omitted. A reconnecting client reports the id of the last event it
     * received.
     */
    record Event(String id, String name, String data) {
        public static Event of(String name, String data) {
            return new Event("", name, data);
        }
    }
}
