package dev.hearth.spi.monitor;

import dev.hearth.spi.settings.SettingKey;

/** Keys of the monitoring settings that several modules read. The module status-api declares these settings. */
public final class MonitorSettings {
    public static final SettingKey<Boolean> UI_ENABLED = SettingKey.flag(
            "hearth.ui.enabled",
            false,
            "Whether a driver opens a port for its monitoring API; a driver on a cluster serves it on the port it already"
                    + " has.");

    private MonitorSettings() {}
}
