package dev.hearth.kernel.internal.boot;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ConfiguratorRank;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import org.slf4j.Logger;

/**
 * Logging where an installation has no {@code conf/logback.xml}: warnings to standard error, and of our own loggers what
 * {@code -Dhearth.log.level} says. Found by logback as a service; reading a file instead costs each start 60 ms.
 */
@ConfiguratorRank(ConfiguratorRank.CUSTOM_HIGH_PRIORITY)
public final class DefaultLogging extends ContextAwareBase implements Configurator {
    static final String FILE_PROPERTY = "logback.configurationFile";
    private static final String LEVEL_PROPERTY = "hearth.log.level";
    private static final String PATTERN = "%d{yyyy-MM-dd HH:mm:ss.SSS} %-5level [%thread] %logger{0}: %msg%n";

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        if (System.getProperty(FILE_PROPERTY) != null) {
            return ExecutionStatus.INVOKE_NEXT_IF_ANY;
        }
        PatternLayoutEncoder encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern(PATTERN);
        encoder.start();
        ConsoleAppender<ILoggingEvent> appender = new ConsoleAppender<>();
        appender.setContext(context);
        appender.setName("stderr");
        appender.setTarget("System.err");
        appender.setEncoder(encoder);
        appender.start();
        context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
        context.getLogger(Logger.ROOT_LOGGER_NAME).addAppender(appender);
        context.getLogger("dev.hearth").setLevel(Level.toLevel(System.getProperty(LEVEL_PROPERTY), Level.WARN));
        return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
    }
}
