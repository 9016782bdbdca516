package dev.hearth.status.monitor;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.status.events.EventSettings;
import dev.hearth.status.progress.ProgressSettings;
import dev.hearth.status.store.StatusSettings;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;

/** Declares what listeners, views and the progress of applications go by. */
@Component(service = SettingsGroup.class)
public final class MonitorSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return Stream.of(EventSettings.KEYS, StatusSettings.KEYS, ProgressSettings.KEYS)
                .flatMap(List::stream)
                .toList();
    }
}
