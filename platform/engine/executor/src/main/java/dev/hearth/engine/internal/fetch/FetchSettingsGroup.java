package dev.hearth.engine.internal.fetch;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of fetches between executors. */
@Component(service = SettingsGroup.class)
public final class FetchSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return FetchSettings.KEYS;
    }
}
