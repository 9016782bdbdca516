package dev.hearth.yarn.internal.settings;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;

/** How a submitter follows its application. Immutable. */
public record ReportSettings(boolean waits, Duration interval, int loggingFrequency) {
    /** Setting that says whether a submission waits for the end of the driver. */
    public static final SettingKey<Boolean> WAITS = SettingKey.flag(
            YarnKeys.PREFIX + "submit.waitAppCompletion",
            true,
            "Whether a submission in cluster mode waits for the end of the driver, as without --no-wait.");

    private static final SettingKey<Duration> INTERVAL = SettingKey.durationInMillis(
            YarnKeys.PREFIX + "report.interval",
            Duration.ofSeconds(1),
            Duration.ofMillis(50),
            "Time between two questions of a waiting submitter about its application; the first ones come faster.");
    private static final SettingKey<Integer> LOGGING = SettingKey.integer(
            YarnKeys.PREFIX + "report.loggingFrequency",
            30,
            1,
            Integer.MAX_VALUE,
            "Number of answers without a change after which a waiting submitter prints the state again.");

    public static final List<SettingKey<?>> KEYS = List.of(WAITS, INTERVAL, LOGGING);

    /** Reads the settings; {@code in} records the problems. */
    public static ReportSettings read(SettingsReader in) {
        return new ReportSettings(in.read(WAITS), in.read(INTERVAL), in.read(LOGGING));
    }
}
