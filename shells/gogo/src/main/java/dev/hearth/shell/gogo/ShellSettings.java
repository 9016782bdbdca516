package dev.hearth.shell.gogo;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Declares the settings of the shell, so that they can be checked and listed. */
@Component(service = SettingsGroup.class)
public final class ShellSettings implements SettingsGroup {
    static final Duration TIMEOUT_DEFAULT = Duration.ofMinutes(1);

    static final SettingKey<Duration> TIMEOUT = SettingKey.duration(
            "hearth.shell.timeout",
            TIMEOUT_DEFAULT,
            Duration.ofMillis(1),
            "Maximum time that a shell waits for a command in another process; `--timeout` overrides it. Without either,"
                    + " a shell at a terminal waits until the command ends or Ctrl-C is typed.");

    static final SettingKey<Boolean> BANNER = SettingKey.flag(
            "hearth.shell.banner",
            true,
            "Whether a shell at a terminal says at its start which process it is in; `--no-banner` overrides it.");

    @Override
    public String owner() {
        return "shell-gogo";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return List.of(BANNER, TIMEOUT);
    }
}
