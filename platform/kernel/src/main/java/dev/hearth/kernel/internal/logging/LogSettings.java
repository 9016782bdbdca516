package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.Level;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;

/**
 * Settings {@code hearth.log.*}: level, destination and format of the log. System properties {@code -Dhearth.log.*}
 * take precedence over the settings of the installation. The default level is that of the role, from {@code
 * -Dhearth.log.roleLevel}. {@code loggers} are the levels of further loggers by name. Immutable.
 */
public record LogSettings(
        String level, Format format, String file, int maxSizeMebibytes, int filesMax, Map<String, String> loggers) {
    private static final SettingKey<Threshold> LEVEL = SettingKey.choice(
            "hearth.log.level",
            Threshold.class,
            Threshold.WARN,
            "Level of Hearth's own log messages; the default depends on the role: INFO for daemons, else WARN.");

    private static final SettingKey<Format> FORMAT = SettingKey.choice(
            "hearth.log.format",
            Format.class,
            Format.TEXT,
            "Format of the log: text lines, or one JSON object per line.");

    private static final SettingKey<String> FILE = SettingKey.text(
            "hearth.log.file",
            "",
            "Log file, instead of standard error; {role} and {pid} in it are replaced by those of the process.");

    private static final SettingKey<Integer> MAX_SIZE = SettingKey.mebibytes(
            "hearth.log.maxSize", 64, 1, 1024, "Size at which the log file is rolled over to file.1.");

    private static final SettingKey<Integer> FILES_MAX = SettingKey.integer(
            "hearth.log.maxFiles", 5, 1, 20, "Number of rolled-over log files to retain, as file.1, file.2 and so on.");

    private static final String LEVEL_RULE = Arrays.stream(Threshold.values())
            .map(level -> level.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ", "the name of a logger, and one of [", "]"));

    private static final SettingKey<String> LOGGER_LEVELS = SettingKey.family(
            "hearth.log.level.*",
            "Level of the logger that the rest of the key names, and of all below it, such as"
                    + " `hearth.log.level.com.example`.",
            LEVEL_RULE,
            (logger, level) -> !logger.isBlank()
                    && Arrays.stream(Threshold.values())
                            .anyMatch(known -> known.name().equalsIgnoreCase(level.strip())));

    public static final List<SettingKey<?>> KEYS = List.of(LEVEL, LOGGER_LEVELS, FORMAT, FILE, MAX_SIZE, FILES_MAX);
    /** Begin of the names of settings that set levels. */
    static final String LEVEL_PREFIX = "hearth.log.level";

    static final String ROLE_LEVEL = "hearth.log.roleLevel";

    /** System property with the log file of a daemon that a script in sbin/ has started; the setting overrides it. */
    static final String ROLE_FILE = "hearth.log.roleFile";

    public LogSettings {
        loggers = Collections.unmodifiableMap(new LinkedHashMap<>(loggers));
    }

    /** Lowest level of the log events that are written. */
    enum Threshold {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        OFF
    }

    /** Format in which log events are written: as text for people, or as one JSON object per line. */
    enum Format {
        TEXT,
        JSON
    }

    /**
     * Reads the settings; {@code commandLine} ranks highest. Fails with {@code BAD_SETTING} and one error that lists all
     * problems.
     */
    static LogSettings read(Settings installation, Properties system, Settings commandLine) {
        Settings settings = installation;
        for (String key : system.stringPropertyNames()) {
            if (isKey(key)) {
                settings = settings.with("-D", key, system.getProperty(key));
            }
        }
        settings = settings.with(commandLine);
        SettingsReader in = new SettingsReader(settings);
        String level =
                in.find(LEVEL).map(Threshold::name).orElse(system.getProperty(ROLE_LEVEL, Threshold.WARN.name()));
        LogSettings read = new LogSettings(
                level.toUpperCase(Locale.ROOT),
                in.read(FORMAT),
                in.find(FILE).orElse(system.getProperty(ROLE_FILE, "")),
                in.read(MAX_SIZE),
                in.read(FILES_MAX),
                in.readAll(LOGGER_LEVELS));
        in.finish();
        return read;
    }

    /** Whether {@code key} is one of these settings. */
    static boolean isKey(String key) {
        return key.startsWith(LEVEL_PREFIX + ".")
                || KEYS.stream().anyMatch(known -> known.name().equals(key));
    }

    Level threshold() {
        return Level.toLevel(level, Level.WARN);
    }
}
