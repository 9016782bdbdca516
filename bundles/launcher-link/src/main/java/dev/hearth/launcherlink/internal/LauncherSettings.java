package dev.hearth.launcherlink.internal;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/**
 * Settings by which a process finds the program that launched it. Launchers set them by environment variables, which
 * {@link LauncherLink} reads itself, because they also name the protocol.
 */
@Component(service = SettingsGroup.class)
public final class LauncherSettings implements SettingsGroup {
    static final SettingKey<Integer> PORT = SettingKey.integer(
            "hearth.launcher.port",
            0,
            0,
            65_535,
            "Port of the program that launched bin/submit and follows it. 0: none. Set by the launcher.");
    static final SettingKey<String> SECRET = SettingKey.secret(
            "hearth.launcher.secret",
            "Secret that proves to that program which process it launched. Set by the launcher.");

    @Override
    public String owner() {
        return "launcher-link";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return List.of(PORT, SECRET);
    }
}
