package dev.hearth.spi.monitor;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.settings.Settings;
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
}
