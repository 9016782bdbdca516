package dev.hearth.status.progress;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/** Settings of the console progress bar: whether it is shown, and how often it is rewritten. */
public record ProgressSettings(boolean shown, Duration interval) {
    private static final SettingKey<Boolean> SHOWN = SettingKey.flag(
            "hearth.ui.showConsoleProgress",
            true,
            "Whether the progress of stages that take longer than half a second is shown, if standard error is a terminal.");
    private static final SettingKey<Duration> INTERVAL = SettingKey.durationInMillis(
            "hearth.ui.consoleProgress.update.interval",
            Duration.ofMillis(200),
            Duration.ofMillis(10),
            "How often the line of `hearth.ui.showConsoleProgress` is rewritten.");

    public static final List<SettingKey<?>> KEYS = List.of(SHOWN, INTERVAL);

    static ProgressSettings from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        ProgressSettings read = new ProgressSettings(in.read(SHOWN), in.read(INTERVAL));
        in.finish();
        return read;
    }
}
