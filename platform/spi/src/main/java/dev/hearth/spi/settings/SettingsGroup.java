package dev.hearth.spi.settings;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Declarations of one module's settings, registered as a service. Used by {@code hearth:conf}, the generated reference
 * and spelling suggestions.
 */
@ConsumerType
public interface SettingsGroup {
    /** The module that reads these settings, for example {@code standalone}. */
    String owner();

    List<SettingKey<?>> keys();
}
