package dev.hearth.spi.settings;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Declarations of one module's settings, registered as a service. From all groups, {@code hearth:conf} lists the
 * settings, the reference is generated, and spellings are suggested.
 */
@ConsumerType
public interface SettingsGroup {
    /** The module that reads these settings, for example {@code standalone}. */
    String owner();

    List<SettingKey<?>> keys();
}
