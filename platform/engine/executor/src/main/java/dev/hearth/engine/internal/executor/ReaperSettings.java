package dev.hearth.engine.internal.executor;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How killed tasks that do not end are watched. Read from {@code hearth.task.reaper.*}. Without {@code killTimeout} they are
 * told of for as long as they take.
 */
public record ReaperSettings(boolean enabled, Duration interval, boolean threadDump, Optional<Duration> killTimeout) {
    private static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.task.reaper.enabled", false, "Whether killed tasks are watched until they have ended.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.duration(
            "hearth.task.reaper.pollingInterval",
            Duration.ofSeconds(10),
            Duration.ofMillis(10),
            "How often a killed task that still runs is told of.");
    private static final SettingKey<Boolean> THREAD_DUMP = SettingKey.flag(
            "hearth.task.reaper.threadDump", true, "Whether the stack of a killed task's thread is logged each time.");
    private static final SettingKey<Duration> KILL_TIMEOUT = SettingKey.duration(
                    "hearth.task.reaper.killTimeout",
                    Duration.ofMinutes(2),
                    Duration.ofMillis(10),
                    "When a killed task that still runs takes its executor with it; in the driver's own process its thread is"
                            + " left to itself and replaced.")
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
