package dev.hearth.engine.internal.driver;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares how what executors hold is copied to others. */
@Component(service = SettingsGroup.class)
public final class StorageSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return ReplicationSettings.KEYS;
    }
}
