package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import dev.hearth.kernel.internal.logging.LogSettings.Threshold;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.Logs;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Reads and changes the levels of this process's loggers, and keeps recent events once a shell asks for that.
 * Thread-safe; lives as long as the process.
 */
public final class LogLevels implements Logs {
    private final LoggerContext context;
    private final Settings installation;
    private final String role;
    private volatile @Nullable RecentLog recent; // set once, guarded by this

    /** Levels of a process in {@code role} that has started with the settings {@code installation}. */
    public LogLevels(LoggerContext context, Settings installation, String role) {
        this.context = context;
        this.installation = installation;
        this.role = role;
    }

    @Override
    public void configure(Settings given) {
        Settings own = Settings.empty();
        for (String key : given.keys()) {
            if (LogSettings.isKey(key)) {
                own = own.with(
                        given.origin(key).orElse("command line"),
                        key,
                        given.find(key).orElse(""));
            }
        }
        if (!own.keys().isEmpty()) {
            DefaultLogging.applySettings(installation, own, role);
        }
    }

    @Override
    public Map<String, String> levels() {
        Map<String, String> levels = new TreeMap<>();
        for (ch.qos.logback.classic.Logger logger : context.getLoggerList()) {
            if (logger.getLevel() != null) {
                levels.put(logger.getName(), logger.getLevel().toString());
            }
        }
        return Collections.unmodifiableMap(levels);
    }

    @Override
    public void setLevel(String logger, String level) {
        boolean root = logger.equalsIgnoreCase(Logger.ROOT_LOGGER_NAME);
        List<String> names = Arrays.stream(Threshold.values()).map(Enum::name).toList();
        String wanted = level.toUpperCase(Locale.ROOT);
        if (level.isEmpty() && !root) {
            context.getLogger(logger).setLevel(null);
        } else if (names.contains(wanted)) {
            context.getLogger(root ? Logger.ROOT_LOGGER_NAME : logger).setLevel(Level.toLevel(wanted));
        } else {
            throw ErrorCode.BAD_ARGUMENT.failure("log level of " + logger + ": '" + level + "' (expected: one of "
                    + names + (root ? ")" : ", or no level, to inherit that of the parent logger)"));
        }
    }

    @Override
    public synchronized void keepRecent() {
        if (recent == null) {
            RecentLog kept = new RecentLog();
            kept.setContext(context);
            kept.setName("recent");
            kept.start();
            context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(kept);
            recent = kept;
        }
    }

    @Override
    public List<LogEvent> recent(long after) {
        RecentLog kept = recent;
        return kept == null ? List.of() : kept.after(after);
    }

    @Override
    public List<LogEvent> awaitRecent(long after, Duration atMost) throws InterruptedException {
        RecentLog kept = recent;
        return kept == null ? List.of() : kept.awaitAfter(after, Math.max(1, atMost.toMillis()));
    }
}
