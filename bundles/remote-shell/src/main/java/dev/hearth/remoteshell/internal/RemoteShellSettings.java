package dev.hearth.remoteshell.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of the remote shell, so that they can be checked and listed. */
@Component(service = SettingsGroup.class)
public final class RemoteShellSettings implements SettingsGroup {
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.shell.enabled", true, "Whether a kernel in the role serve opens a port for remote shells.");

    static final SettingKey<Integer> PORT = SettingKey.port(
            "hearth.shell.port",
            0,
            "The port on which a kernel in the role serve accepts remote shells; 0 takes any free one.");

    static final SettingKey<String> HOST =
            SettingKey.text("hearth.shell.host", "127.0.0.1", "The address to bind `hearth.shell.port` to.");

    @Override
    public String owner() {
        return "remote-shell";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return List.of(ENABLED, HOST, PORT);
    }
}
