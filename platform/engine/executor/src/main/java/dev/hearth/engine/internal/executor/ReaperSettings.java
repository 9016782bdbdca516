package dev.hearth.engine.internal.executor;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Settings for watching killed tasks that do not end. Read from {@code hearth.task.reaper.*}. If {@code killTimeout} is
 * not set, such a task is never abandoned, but logged for as long as it runs. Immutable.
 */
public record ReaperSettings(boolean enabled, Duration interval, boolean threadDump, Optional<Duration> killTimeout) {
    private static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.task.reaper.enabled", false, "Whether killed tasks are watched until they have ended.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            "hearth.task.reaper.pollingInterval",
            Duration.ofSeconds(10),
            Duration.ofMillis(10),
            "How often a killed task that still runs is logged.");
    private static final SettingKey<Boolean> THREAD_DUMP = SettingKey.flag(
            "hearth.task.reaper.threadDump", true, "Whether the stack of a killed task's thread is logged each time.");
    private static final SettingKey<Duration> KILL_TIMEOUT = SettingKey.duration(
                    "hearth.task.reaper.killTimeout",
                    Duration.ofMinutes(2),
                    Duration.ofMillis(10),
                    "After what time a killed task that still runs ends its executor; in the driver's own process its thread is"
                            + " abandoned and replaced.")
            .withoutDefault("never");

    public static final List<SettingKey<?>> KEYS = List.of(ENABLED, INTERVAL, THREAD_DUMP, KILL_TIMEOUT);

    public static final ReaperSettings OFF = new ReaperSettings(false, Duration.ofSeconds(10), true, Optional.empty());

    public static ReaperSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ReaperSettings read =
                new ReaperSettings(in.read(ENABLED), in.read(INTERVAL), in.read(THREAD_DUMP), in.find(KILL_TIMEOUT));
        in.finish();
        return read;
    }
}
