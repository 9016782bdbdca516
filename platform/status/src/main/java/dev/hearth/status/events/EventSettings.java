package dev.hearth.status.events;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Settings of the event bus: {@code hearth.scheduler.listenerbus.*} and {@code hearth.extraListeners}. */
public record EventSettings(int capacity, Optional<Duration> slow, List<String> listeners) {
    private static final SettingKey<Integer> CAPACITY = SettingKey.integer(
            "hearth.scheduler.listenerbus.eventqueue.capacity",
            10_000,
            16,
            10_000_000,
            "Pending events of one listener beyond which its task events are summed up.");
    private static final SettingKey<Boolean> LOG_SLOW = SettingKey.flag(
            "hearth.scheduler.listenerbus.logSlowEvent",
            true,
            "Whether an event is logged that a listener takes long to process.");
    private static final SettingKey<Duration> SLOW = SettingKey.duration(
            "hearth.scheduler.listenerbus.logSlowEvent.threshold",
            Duration.ofSeconds(1),
            Duration.ofMillis(1),
            "The processing time beyond which `hearth.scheduler.listenerbus.logSlowEvent` logs an event.");
    private static final SettingKey<List<String>> LISTENERS = SettingKey.list(
            "hearth.extraListeners",
            List.of(),
            "Listener classes of the application: each an `ApplicationListener` with a constructor that takes the settings as"
                    + " a map, or nothing.");

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
