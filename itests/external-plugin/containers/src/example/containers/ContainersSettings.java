package example.containers;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import java.time.Duration;
import java.util.List;

/** Settings of applications in containers. Stateless. */
public final class ContainersSettings implements SettingsGroup {
    static final SettingKey<String> CREDENTIALS = SettingKey.text(
            "hearth.containers.credentials.file",
            "",
            "File of the driver's machine whose text executors receive as credentials of the kind `vault`.");
    static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            "hearth.containers.credentials.interval",
            Duration.ofMinutes(1),
            Duration.ofMillis(100),
            "Time between two reads of hearth.containers.credentials.file.");

    @Override
    public String owner() {
        return "containers";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return List.of(CREDENTIALS, INTERVAL);
    }
}
