package dev.hearth.spi.storage;

import dev.hearth.spi.settings.Settings;
import org.osgi.annotation.versioning.ProviderType;

/** The application for which a file store is opened. Immutable. */
@ProviderType
public interface StoreContext {
    /** Display name of the application, for messages and for the logs of the storage. */
    String application();

    /** The settings of the application. */
    Settings settings();
}
