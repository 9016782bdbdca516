package dev.hearth.spi.process;

import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Bounds on the files {@code stdout} and {@code stderr} of a child process. A full file is rolled over: it becomes
 * {@code stdout.1}, the next one {@code stdout.2} and so on, and the oldest ones are removed. Immutable.
 *
 * @param maxSizeMebibytes size at which a file is rolled over
 * @param rolledMax maximum number of rolled-over files, beside the current one
 * @param interval age at which a file is rolled over, whatever its size; empty for none
 * @param isCompressed whether rolled-over files are compressed
 */
public record OutputFiles(int maxSizeMebibytes, int rolledMax, Optional<Duration> interval, boolean isCompressed) {
    private static final String PREFIX = "hearth.executor.logs.rolling.";
    private static final int SIZE_MOST = 1024 * 1024;
    private static final int FILES_MOST = 10_000;
    private static final String INTERVAL_RULE = "daily, hourly, minutely, or a time such as 30m, from 1s";

    private static final SettingKey<Strategy> STRATEGY = SettingKey.choice(
            PREFIX + "strategy",
            Strategy.class,
            Strategy.SIZE,
            "When the output files of drivers and executors are rolled over: by size, or by time and size.");

    private static final SettingKey<Integer> MAX_SIZE = SettingKey.mebibytes(
            PREFIX + "maxSize",
            100,
            1,
            SIZE_MOST,
            "Size at which an output file of drivers and executors is rolled over.");

    private static final SettingKey<Integer> ROLLED_MAX = SettingKey.integer(
            PREFIX + "maxRetainedFiles",
            3,
            1,
            FILES_MOST,
            "Number of rolled-over files to retain of each output of drivers and executors, beside the current file.");

    private static final SettingKey<String> INTERVAL = SettingKey.text(
                    PREFIX + "time.interval",
                    "daily",
                    "Age at which an output file of drivers and executors is rolled over with the strategy `time`.")
            .obeying(INTERVAL_RULE, text -> interval(text).isPresent());

    private static final SettingKey<Boolean> COMPRESSED = SettingKey.flag(
            PREFIX + "enableCompression",
            false,
            "Whether rolled-over output files of drivers and executors are compressed with gzip.");

    public static final List<SettingKey<?>> KEYS = List.of(STRATEGY, MAX_SIZE, ROLLED_MAX, INTERVAL, COMPRESSED);
    public static final OutputFiles DEFAULTS = from(Settings.empty());

    /** Value of the setting that decides when a file is rolled over: by size alone, or by time and size. */
    private enum Strategy {
        SIZE,
        TIME
    }

    /**
     * The bounds on output files that the settings {@code hearth.executor.logs.rolling.*} define; fails with {@code
     * BAD_SETTING} if a value is invalid.
     */
    public static OutputFiles from(Settings settings) {
        SettingsReader in = new SettingsReader(settings);
        Strategy strategy = in.read(STRATEGY);
        Optional<Duration> age = interval(in.read(INTERVAL));
        OutputFiles read = new OutputFiles(
                in.read(MAX_SIZE),
                in.read(ROLLED_MAX),
                strategy == Strategy.TIME ? age : Optional.empty(),
                in.read(COMPRESSED));
        in.finish();
        return read;
    }

    private static Optional<Duration> interval(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "daily" -> Optional.of(Duration.ofDays(1));
            case "hourly" -> Optional.of(Duration.ofHours(1));
            case "minutely" -> Optional.of(Duration.ofMinutes(1));
            default ->
                SettingKey.duration(PREFIX + "time.interval", Duration.ofDays(1), Duration.ofSeconds(1), "age")
                        .parse(text);
        };
    }
}
