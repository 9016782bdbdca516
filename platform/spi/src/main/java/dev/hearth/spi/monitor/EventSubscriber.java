package dev.hearth.spi.monitor;

import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.settings.Settings;
import java.util.Optional;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Wants the events of applications. A service: the engine asks each one there is when an application begins.
 * <p>The listener keeps hearing until its application ends, though the service may leave; one that is {@link AutoCloseable}
 * is closed after its last event, by the thread that called it.
 */
@ConsumerType
@FunctionalInterface
public interface EventSubscriber {
    /**
     * The listener for one application; empty when it is of no interest. A {@link dev.hearth.api.HearthException} refuses the
     * application; anything else that is thrown is logged, and the application goes on without this listener.
     */
    Optional<ApplicationListener> subscribe(String application, String name, Settings settings);
}
