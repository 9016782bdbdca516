package dev.hearth.kernel.internal.deploy;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Settings {@code hearth.deploy.*}: the directory with deployed bundles, and time limits for replacing a bundle.
 * Immutable.
 */
public record DeploySettings(String directory, Duration drainTimeout, Duration providerWait) {
    static final SettingKey<String> DIRECTORY = SettingKey.text(
            "hearth.deploy.dir", "", "Directory whose bundles are deployed; empty means deploy/ of the installation.");
    static final SettingKey<Duration> DRAIN_TIMEOUT = SettingKey.duration(
            "hearth.deploy.drainTimeout",
            Duration.ofMinutes(10),
            Duration.ZERO,
            "Maximum time that a replaced or removed bundle stays for those that still use it.");
    static final SettingKey<Duration> PROVIDER_WAIT = SettingKey.duration(
            "hearth.deploy.providerWait",
            Duration.ofSeconds(10),
            Duration.ZERO,
            "Maximum time that a call of a replaceable service waits for a provider.");
    /** All settings of this class, for the catalogue of settings. */
    public static final List<SettingKey<?>> KEYS = List.of(DIRECTORY, DRAIN_TIMEOUT, PROVIDER_WAIT);

    public static DeploySettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        DeploySettings read = new DeploySettings(in.read(DIRECTORY), in.read(DRAIN_TIMEOUT), in.read(PROVIDER_WAIT));
        in.finish();
        return read;
    }

    /** Returns the directory to watch: the configured one, or {@code deploy} in the installation {@code home}. */
    public Path directory(Path home) {
        return directory.isEmpty()
                ? home.resolve("deploy")
                : Path.of(directory).toAbsolutePath().normalize();
    }
}
