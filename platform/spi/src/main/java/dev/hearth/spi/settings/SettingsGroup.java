package dev.hearth.spi.settings;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** The settings one room declares, as a service: for {@code hearth:conf}, the generated reference, and spelling help. */
@ConsumerType
public interface SettingsGroup {
    /** The room that reads them, for example {@code standalone}. */
    String owner();

    List<SettingKey<?>> keys();
}
