package dev.hearth.engine.internal.driver;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.Optional;

/** How executors leave. Read from {@code hearth.decommission.enabled} and {@code hearth.executor.decommission.*}. */
record DecommissionSettings(boolean enabled, Optional<Duration> forceKillTimeout) {
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.decommission.enabled",
            false,
            "Whether executors that dynamic allocation has no use for move what they keep before they go.");
    static final SettingKey<Duration> FORCE_KILL_TIMEOUT = SettingKey.duration(
                    "hearth.executor.decommission.forceKillTimeout",
                    Duration.ofMinutes(1),
                    Duration.ofMillis(1),
                    "How long an executor that was told to leave may take for its tasks and for moving what it keeps.")
            .withoutDefault("as long as it takes");

    static DecommissionSettings read(SettingsReader in) {
        return new DecommissionSettings(in.read(ENABLED), in.find(FORCE_KILL_TIMEOUT));
    }
}
