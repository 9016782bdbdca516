package dev.hearth.kernel.internal.logging;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.hearth.kernel.internal.logging.LogSettings.Format;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logging of an installation that has no {@code conf/logback.xml}. Warnings of all code go to standard error, and the
 * settings {@code hearth.log.*} apply to Hearth's own messages. Logback finds this class as a service. A class is used
 * because reading a configuration file would add 60 ms to each start.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class DefaultLogging extends ContextAwareBase implements Configurator {
    /** System property with the path of the user's own logback configuration file. */
    public static final String FILE_PROPERTY = "logback.configurationFile";

    static final String OURS = "dev.hearth";
    private static final String CONSOLE = "stderr"; // name of the appender
    private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%thread] %logger{0}: %msg%n%ex";

    /** Configures logging to standard error, until the settings are read. */
    @Override
    public ExecutionStatus configure(LoggerContext context) {
        PrintablePatterns.register(context);
        if (System.getProperty(FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.setLevel(Level.WARN);
        root.addAppender(console(context, text(context)));
        context.getLogger(OURS)
                .setLevel(Level.toLevel(
                        System.getProperty("hearth.log.level", System.getProperty(LogSettings.ROLE_LEVEL)),
                        Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }

    /** Applies the settings of this process, unless the user has configured logback. Fails with {@code BAD_SETTING}. */
    public static void applySettings(Settings installation, String role) {
        applySettings(installation, Settings.empty(), role);
    }

    /**
     * As {@link #applySettings(Settings, String)}, with settings of the command line, which rank highest. Levels among
     * them apply even if the user has configured logback.
     */
    static void applySettings(Settings installation, Settings commandLine, String role) {
        LogSettings settings = LogSettings.read(installation, System.getProperties(), commandLine);
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            if (System.getProperty(FILE_PROPERTY) == null) {
                apply(context, settings, role);
            } else if (!commandLine.keys().isEmpty()) {
                applyLevels(context, settings);
                warnOfOwnConfiguration(commandLine);
            } else {
                PrintablePatterns.completeLayouts(context);
            }
        }
    }

    private static void warnOfOwnConfiguration(Settings commandLine) {
        for (String key : commandLine.keys()) {
            if (!key.startsWith(LogSettings.LEVEL_PREFIX)) {
                LoggerFactory.getLogger(DefaultLogging.class)
                        .warn(
                                "{}: no effect (expected: no configuration of logback); {} configures the log",
                                key,
                                System.getProperty(FILE_PROPERTY));
            }
        }
    }

    private static void applyLevels(LoggerContext context, LogSettings settings) {
        context.getLogger(OURS).setLevel(settings.threshold());
        settings.loggers()
                .forEach((name, level) -> context.getLogger(name)
                        .setLevel(Level.toLevel(level.strip().toUpperCase(Locale.ROOT))));
    }

    static void apply(LoggerContext context, LogSettings settings, String role) {
        applyLevels(context, settings);
        if (settings.format() == Format.TEXT && settings.file().isEmpty() && isDefault(context)) {
            return;
        }
        Encoder<ILoggingEvent> encoder = settings.format() == Format.JSON ? json(context) : text(context);
        OutputStreamAppender<ILoggingEvent> appender =
                settings.file().isEmpty() ? console(context, encoder) : file(context, encoder, settings, role);
        ch.qos.logback.classic.Logger root = context.getLogger(Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        root.addAppender(appender);
    }

    /** Whether the log still goes to standard error as text. */
    private static boolean isDefault(LoggerContext context) {
        return context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE)
                        instanceof OutputStreamAppender<ILoggingEvent> console
                && console.getEncoder() instanceof PatternLayoutEncoder;
    }

    private static OutputStreamAppender<ILoggingEvent> console(LoggerContext context, Encoder<ILoggingEvent> encoder) {
        OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
        appender.setContext(context);
        appender.setName(CONSOLE);
        appender.setEncoder(encoder);
        appender.setOutputStream(new ProcessErrorStream());
        appender.start();
        return appender;
    }

    private static OutputStreamAppender<ILoggingEvent> file(
            LoggerContext context, Encoder<ILoggingEvent> encoder, LogSettings settings, String role) {
        Path path = path(settings.file()
                .replace("{role}", role)
                .replace("{pid}", Long.toString(ProcessHandle.current().pid())));
        return RollingLogFile.open(context, encoder, path, settings);
    }

    /** Checks that the log file can be written. Logback itself would continue without a log after a problem. */
    private static Path path(String text) {
        try {
            Path path = Path.of(text).toAbsolutePath();
            Files.createDirectories(path.getParent());
            Files.newOutputStream(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
            return path;
        } catch (IOException | InvalidPathException e) {
            throw ErrorCode.BAD_SETTING.failure(
                    "hearth.log.file: " + text + ": " + e + " (expected: a file to write to); check the path", e);
        }
    }

    private static Encoder<ILoggingEvent> text(LoggerContext context) {
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        return encoder;
    }

    private static Encoder<ILoggingEvent> json(LoggerContext context) {
        JsonEncoder encoder = new PrintableJsonEncoder();
        encoder.setContext(context);
        encoder.setWithSequenceNumber(false);
        encoder.setWithNanoseconds(false);
        encoder.setWithContext(false);
        encoder.setWithMessage(false);
        encoder.setWithArguments(false);
        encoder.setWithFormattedMessage(true);
        encoder.start();
        return encoder;
    }
}
