package dev.hearth.engine.internal.allocation;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares what dynamic allocation goes by. */
@Component(service = SettingsGroup.class)
public final class AllocationSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "allocation";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return AllocationSettings.KEYS;
    }
}
