package dev.hearth.engine.internal.shuffle;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings that force map tasks to spill. */
@Component(service = SettingsGroup.class)
public final class ShuffleSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return ShuffleSettings.KEYS;
    }
}
