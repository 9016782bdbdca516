package dev.hearth.spi.monitor;

import dev.hearth.spi.settings.SettingKey;

/**
 * Keys of the monitoring settings that several modules read, and names that they share. The module status-api declares
 * these settings.
 */
public final class MonitorSettings {
    public static final SettingKey<Boolean> UI_ENABLED = SettingKey.flag(
            "hearth.ui.enabled",
            false,
            "Whether a driver opens a port for its monitoring API; a driver on a cluster serves it on the port it already"
                    + " has.");

    /**
     * Name of the logger that says, at level INFO, where drivers of this process listen, and at level DEBUG, which of
     * them do not listen.
     */
    public static final String ADDRESS_LOGGER = "dev.hearth.driver.address";

    private MonitorSettings() {}
}
