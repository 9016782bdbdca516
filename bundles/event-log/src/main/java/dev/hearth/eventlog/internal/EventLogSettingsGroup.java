package dev.hearth.eventlog.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of event logs. */
@Component(service = SettingsGroup.class)
public final class EventLogSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "event-log";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return EventLogSettings.KEYS;
    }
}
