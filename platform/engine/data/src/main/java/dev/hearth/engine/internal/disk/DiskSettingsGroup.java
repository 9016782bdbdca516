package dev.hearth.engine.internal.disk;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings for the location, compression and encryption of temporary files. */
@Component(service = SettingsGroup.class)
public final class DiskSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return DiskSettings.KEYS;
    }
}
