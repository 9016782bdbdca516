package dev.hearth.engine.internal.memory;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings {@code hearth.memory.*}. */
@Component(service = SettingsGroup.class)
public final class MemorySettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return MemorySettings.KEYS;
    }
}
