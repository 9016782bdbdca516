package dev.hearth.engine.internal.dag;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of the stage scheduler. */
@Component(service = SettingsGroup.class)
public final class DagSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return DagSettings.KEYS;
    }
}
