package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/**
 * Settings of the locality wait: how long tasks wait for an executor near their data. Read from
 * {@code hearth.locality.*}.
 */
public record LocalitySettings(long processNanos, long nodeNanos, long rackNanos, boolean resetOnLaunch) {
    private static final SettingKey<Duration> WAIT = SettingKey.durationInMillis(
            "hearth.locality.wait",
            Duration.ofSeconds(3),
            Duration.ZERO,
            "How long tasks wait for an executor near their data before they accept the next farther locality level.");
    private static final SettingKey<Duration> PROCESS = specific("process", "the executor that holds its data");
    private static final SettingKey<Duration> NODE = specific("node", "a host that holds its data");
    private static final SettingKey<Duration> RACK = specific("rack", "a rack that holds its data");
    private static final SettingKey<Boolean> RESET_ON_LAUNCH = SettingKey.flag(
            "hearth.locality.wait.legacyResetOnTaskLaunch",
            false,
            "Restart the locality wait with every launch, instead of only once all free cores were taken.");

    static final List<SettingKey<?>> KEYS = List.of(WAIT, PROCESS, NODE, RACK, RESET_ON_LAUNCH);

    private static SettingKey<Duration> specific(String level, String place) {
        return SettingKey.durationInMillis(
                        "hearth.locality.wait." + level,
                        Duration.ofSeconds(3),
                        Duration.ZERO,
                        "How long a task waits for " + place + ".")
                .withoutDefault("hearth.locality.wait");
    }

    static LocalitySettings read(SettingsReader in) {
        Duration wait = in.read(WAIT);
        return new LocalitySettings(
                in.find(PROCESS).orElse(wait).toNanos(),
                in.find(NODE).orElse(wait).toNanos(),
                in.find(RACK).orElse(wait).toNanos(),
                in.read(RESET_ON_LAUNCH));
    }

    /**
     * The time, in nanoseconds, that a task set waits at {@code level} before it accepts executors at the next farther
     * level.
     */
    long waitNanos(Locality level) {
        return switch (level) {
            case PROCESS_LOCAL -> processNanos;
            case NODE_LOCAL -> nodeNanos;
            case RACK_LOCAL -> rackNanos;
            case NO_PREF, ANY -> 0;
        };
    }
}
