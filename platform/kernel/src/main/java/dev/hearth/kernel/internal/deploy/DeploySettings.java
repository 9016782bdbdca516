package dev.hearth.kernel.internal.deploy;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Where bundles are dropped, and how patiently they are replaced. Read from {@code hearth.deploy.*}. */
public record DeploySettings(String directory, Duration drainTimeout, Duration providerWait) {
    static final SettingKey<String> DIRECTORY = SettingKey.text(
            "hearth.deploy.dir", "", "The directory whose bundles run here; empty means deploy/ of the installation.");
    static final SettingKey<Duration> DRAIN_TIMEOUT = SettingKey.duration(
            "hearth.deploy.drainTimeout",
            Duration.ofMinutes(10),
            Duration.ZERO,
            "How long a bundle that was replaced or removed is kept for those who still use it.");
    static final SettingKey<Duration> PROVIDER_WAIT = SettingKey.duration(
            "hearth.deploy.providerWait",
            Duration.ofSeconds(10),
            Duration.ZERO,
            "How long a call of a service that may be replaced waits when nobody offers it.");
    /** All of them, for whoever lists settings. */
    public static final List<SettingKey<?>> KEYS = List.of(DIRECTORY, DRAIN_TIMEOUT, PROVIDER_WAIT);

    public static DeploySettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        DeploySettings read = new DeploySettings(in.read(DIRECTORY), in.read(DRAIN_TIMEOUT), in.read(PROVIDER_WAIT));
        in.finish();
        return read;
    }

    /** The directory to watch, for an installation in {@code home}. */
    public Path directory(Path home) {
        return directory.isEmpty()
                ? home.resolve("deploy")
                : Path.of(directory).toAbsolutePath().normalize();
    }
}
