package dev.hearth.spi.process;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;

/**
 * Settings {@code hearth.worker.cleanup.*}: whether and how often the work directories of ended applications and
 * drivers are removed, how long after their last change, and beyond which number of bytes. Immutable.
 */
public record CleanupSettings(boolean isEnabled, Duration interval, Duration retention, OptionalLong bytesMax) {
    private static final long MEBIBYTE = 1 << 20;
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

    private static final SettingKey<Integer> BYTES = SettingKey.mebibytes(
                    "hearth.worker.logs.bytesMax",
                    1,
                    1,
                    Integer.MAX_VALUE,
                    "Size of the work directories of ended applications and drivers that a worker retains, all together;"
                            + " those that ended first go first. Each search may remove only what was not changed for 10"
                            + " minutes.")
            .withoutDefault("a tenth of the file system of the work directory");
    /** Time after a change in which a work directory is not removed, however many bytes there are. */
    private static final Duration SETTLING = Duration.ofMinutes(10);

    public static final List<SettingKey<?>> KEYS = List.of(ENABLED, INTERVAL, RETENTION, BYTES);
    public static final CleanupSettings DEFAULTS = from(Settings.empty());

    public static CleanupSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        CleanupSettings read = new CleanupSettings(
                in.read(ENABLED),
                in.read(INTERVAL),
                in.read(RETENTION),
                in.find(BYTES)
                        .map(mebibytes -> OptionalLong.of(mebibytes * MEBIBYTE))
                        .orElseGet(OptionalLong::empty));
        in.finish();
        return read;
    }

    /** What a search at {@code now} retains. */
    public RetainedWork retained(Instant now) {
        return new RetainedWork(now.minus(retention), bytesMax, now.minus(SETTLING));
    }
}
