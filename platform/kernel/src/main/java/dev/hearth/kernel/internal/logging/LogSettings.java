package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.Level;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.List;
import java.util.Locale;
import java.util.Properties;

/**
 * What is logged, where to, in which form. Read once from {@code -Dhearth.log.*}, which ranks highest, and the settings of
 * the installation; where neither says a level, the role does by {@code -Dhearth.log.roleLevel}.
 */
public record LogSettings(String level, Format format, String file, int maxSizeMebibytes, int filesMax) {
    private static final SettingKey<Threshold> LEVEL = SettingKey.choice(
            "hearth.log.level",
            Threshold.class,
            Threshold.WARN,
            "What of Hearth's own messages is logged; without it, what the role says: INFO for daemons, else WARN.");

    private static final SettingKey<Format> FORMAT = SettingKey.choice(
            "hearth.log.format", Format.class, Format.TEXT, "Lines for people, or one JSON object per line.");

    private static final SettingKey<String> FILE = SettingKey.text(
            "hearth.log.file",
            "",
            "The file to log to instead of standard error; {role} and {pid} in it stand for those of the process.");

    private static final SettingKey<Integer> MAX_SIZE = SettingKey.mebibytes(
            "hearth.log.maxSize", 64, 1, 1024, "The size at which the log file is set aside and a new one begun.");

    private static final SettingKey<Integer> FILES_MAX = SettingKey.integer(
            "hearth.log.maxFiles", 5, 1, 20, "Log files set aside that are kept, as file.1 and so on.");

    public static final List<SettingKey<?>> KEYS = List.of(LEVEL, FORMAT, FILE, MAX_SIZE, FILES_MAX);
    static final String ROLE_LEVEL = "hearth.log.roleLevel";

    /** Levels that can be asked for. */
    enum Threshold {
        TRACE,
        DEBUG,
        INFO,
        WARN,
        ERROR,
        OFF
    }

    /** How an event is written. */
    enum Format {
        TEXT,
        JSON
    }

    /** Fails with {@code BAD_SETTING}, all problems at once. */
    static LogSettings read(Settings installation, Properties system) {
        Settings settings = installation;
        for (SettingKey<?> key : KEYS) {
            String given = system.getProperty(key.name());
            if (given != null) {
                settings = settings.with("-D", key.name(), given);
            }
        }
        SettingsReader in = new SettingsReader(settings);
        String level =
                in.find(LEVEL).map(Threshold::name).orElse(system.getProperty(ROLE_LEVEL, Threshold.WARN.name()));
        LogSettings read = new LogSettings(
                level.toUpperCase(Locale.ROOT), in.read(FORMAT), in.read(FILE), in.read(MAX_SIZE), in.read(FILES_MAX));
        in.finish();
        return read;
    }

    Level threshold() {
        return Level.toLevel(level, Level.WARN);
    }
}
