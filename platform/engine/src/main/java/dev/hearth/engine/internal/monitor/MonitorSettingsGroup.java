package dev.hearth.engine.internal.monitor;

import dev.hearth.engine.internal.events.EventSettings;
import dev.hearth.engine.internal.progress.ProgressSettings;
import dev.hearth.engine.internal.status.StatusSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
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
