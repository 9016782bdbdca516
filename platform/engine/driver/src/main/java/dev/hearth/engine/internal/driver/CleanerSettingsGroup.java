package dev.hearth.engine.internal.driver;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares what the cleaner of a driver goes by. */
@Component(service = SettingsGroup.class)
public final class CleanerSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "cleaner";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return CleanerSettings.KEYS;
    }
}
