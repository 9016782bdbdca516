package dev.hearth.spi.settings;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Declarations of one module's settings, registered as a service. All groups together are the source of the list in
 * {@code hearth:conf}, of docs/configuration.md, and of the suggestions for misspelt keys.
 */
@ConsumerType
public interface SettingsGroup {
    /** The module that reads these settings, for example {@code standalone}. */
    String owner();

    List<SettingKey<?>> keys();
}
