package dev.hearth.engine.internal.executor;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;

/** Declares what executors go by. */
@Component(service = SettingsGroup.class)
public final class ExecutorSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return Stream.of(ReaperSettings.KEYS, ResultSettings.KEYS, List.of(ExecutorRole.BLOCKS_PORT))
                .<SettingKey<?>>flatMap(List::stream)
                .toList();
    }
}
