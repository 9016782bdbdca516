package dev.hearth.status.events;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What listeners are given and bounded by. Read from {@code hearth.scheduler.listenerbus.*} and {@code hearth.extraListeners}. */
public record EventSettings(int capacity, Optional<Duration> slow, List<String> listeners) {
    private static final SettingKey<Integer> CAPACITY = SettingKey.integer(
            "hearth.scheduler.listenerbus.eventqueue.capacity",
            10_000,
            16,
            10_000_000,
            "Events that wait for one listener before single tasks are summed up for it.");
    private static final SettingKey<Boolean> LOG_SLOW = SettingKey.flag(
            "hearth.scheduler.listenerbus.logSlowEvent",
            true,
            "Whether an event that a listener takes long for is logged.");
    private static final SettingKey<Duration> SLOW = SettingKey.duration(
            "hearth.scheduler.listenerbus.logSlowEvent.threshold",
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            "How long is long for `hearth.scheduler.listenerbus.logSlowEvent`.");
    private static final SettingKey<List<String>> LISTENERS = SettingKey.list(
            "hearth.extraListeners",
            List.of(),
            "Classes of the application that hear its events: each an `ApplicationListener` with a constructor that takes its"
                    + " settings as a map, or nothing.");

    public static final List<SettingKey<?>> KEYS = List.of(CAPACITY, LOG_SLOW, SLOW, LISTENERS);

    public static EventSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        int capacity = in.read(CAPACITY);
        boolean logged = in.read(LOG_SLOW);
        Duration slow = in.read(SLOW);
        List<String> listeners = in.read(LISTENERS);
        in.finish();
        return new EventSettings(capacity, logged ? Optional.of(slow) : Optional.empty(), listeners);
    }
}
