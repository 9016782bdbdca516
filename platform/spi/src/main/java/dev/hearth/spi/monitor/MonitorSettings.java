package dev.hearth.spi.monitor;

import dev.hearth.spi.settings.SettingKey;

/** Settings about showing applications that more than one room reads. The room status-api declares them. */
public final class MonitorSettings {
    public static final SettingKey<Boolean> UI_ENABLED = SettingKey.flag(
            "hearth.ui.enabled",
            false,
            "Whether a driver opens a port of its own on which it is shown; drivers on a cluster are shown on the port that they"
                    + " have anyway.");

    private MonitorSettings() {}
}
