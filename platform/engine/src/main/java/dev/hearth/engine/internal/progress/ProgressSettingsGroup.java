package dev.hearth.engine.internal.progress;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares what the line of progress goes by. */
@Component(service = SettingsGroup.class)
public final class ProgressSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return ProgressSettings.KEYS;
    }
}
