package dev.hearth.spi.process;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings {@code hearth.worker.cleanup.*}: whether and how often the work directories of ended applications and
 * drivers are removed, and how long after their last change. Immutable.
 */
public record CleanupSettings(boolean isEnabled, Duration interval, Duration retention) {
    private static final Duration LEAST = Duration.ofSeconds(1);
    private static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.worker.cleanup.enabled",
            true,
            "Whether workers and local clusters remove the work directories of ended applications and drivers.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            "hearth.worker.cleanup.interval",
            Duration.ofMinutes(30),
            LEAST,
            "Time between two searches of a worker for work directories to remove.");
    private static final SettingKey<Duration> RETENTION = SettingKey.duration(
            "hearth.worker.cleanup.appDataTtl",
            Duration.ofDays(7),
            LEAST,
            "How long the work directory of an ended application or driver is retained after its last change.");

    public static final List<SettingKey<?>> KEYS = List.of(ENABLED, INTERVAL, RETENTION);
    public static final CleanupSettings DEFAULTS = from(Settings.empty());

    public static CleanupSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        CleanupSettings read = new CleanupSettings(in.read(ENABLED), in.read(INTERVAL), in.read(RETENTION));
        in.finish();
        return read;
    }
}
