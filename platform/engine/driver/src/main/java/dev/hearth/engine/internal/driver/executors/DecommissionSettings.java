package dev.hearth.engine.internal.driver.executors;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings that say how executors are decommissioned. Read from {@code hearth.decommission.enabled} and
 * {@code hearth.executor.decommission.*}.
 */
record DecommissionSettings(boolean enabled, Optional<Duration> forceKillTimeout) {
    static final SettingKey<Boolean> ENABLED = SettingKey.flag(
            "hearth.decommission.enabled",
            false,
            "Whether idle executors migrate their data before dynamic allocation stops them.");
    static final SettingKey<Duration> FORCE_KILL_TIMEOUT = SettingKey.duration(
                    "hearth.executor.decommission.forceKillTimeout",
                    Duration.ofMinutes(1),
                    Duration.ofMillis(1),
                    "How long a decommissioned executor may take to finish its tasks and to migrate its data.")
            .withoutDefault("as long as it takes");

    static DecommissionSettings read(SettingsReader in) {
        return new DecommissionSettings(in.read(ENABLED), in.find(FORCE_KILL_TIMEOUT));
    }
}
