package dev.hearth.spi.monitor;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.ApplicationStores;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Subscriber to the events of applications, registered as a service. The engine calls each subscriber when an
 * application starts.
 * <p>A listener receives events until its application ends, even if the service is unregistered earlier. A listener
 * that is {@link AutoCloseable} is closed after its last event, on the thread that called the listener.
 */
@ConsumerType
@FunctionalInterface
public interface EventSubscriber {
    /**
     * Returns the listener for one application, or empty if the subscriber is not interested. A
     * {@link dev.hearth.api.HearthException} rejects the application. Any other exception is logged, and the
     * application runs without this listener.
     */
    Optional<ApplicationListener> subscribe(String application, String name, Settings settings);

    /**
     * Checks an application before it starts, on a thread that may block. A {@link dev.hearth.api.HearthException}
     * rejects the application. {@code stores} are the file stores of the application in the driver's process.
     */
    default void check(String name, Settings settings, ApplicationStores stores) {
        // accepts every application
    }

    /**
     * Returns the listener as {@link #subscribe(String, String, Settings)} does. The engine calls this method, on an
     * event loop. Listeners that write files keep {@code stores}, which stay open until all listeners are closed.
     */
    default Optional<ApplicationListener> subscribe(
            String application, String name, Settings settings, ApplicationStores stores) {
        return subscribe(application, name, settings);
    }
}
