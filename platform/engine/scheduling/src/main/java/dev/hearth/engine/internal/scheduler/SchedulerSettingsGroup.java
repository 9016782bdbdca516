package dev.hearth.engine.internal.scheduler;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of the task scheduler. */
@Component(service = SettingsGroup.class)
public final class SchedulerSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return SchedulerSettings.KEYS;
    }
}
