package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the configuration settings of the RPC module. */
@Component(service = SettingsGroup.class)
public final class RpcSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "rpc";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return RpcSettings.KEYS;
    }
}
