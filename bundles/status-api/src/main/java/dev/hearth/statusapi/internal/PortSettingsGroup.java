package dev.hearth.statusapi.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of monitoring ports, so that they can be checked and listed. */
@Component(service = SettingsGroup.class)
public final class PortSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "status-api";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return PortSettings.KEYS;
    }
}
