package dev.hearth.embedded;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The slf4j binding that is used if the application has no other. It writes lines to standard error, at the level
 * {@code hearth.log.level} (default: warnings and errors). It is not registered as a service, so that it never competes
 * with another binding; {@link LoggingBinding} selects it.
 */
public final class StandardErrorLogging implements SLF4JServiceProvider, ILoggerFactory {
    private static final String LEVEL = "hearth.log.level";
    /** Version of the slf4j API that this binding is made for; slf4j 2.0 warns unless it begins with 2.0. */
    private static final String API_VERSION = "2.0.99";

    private final Map<String, Logger> loggers = new ConcurrentHashMap<>();
    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter context = new NOPMDCAdapter();
    private final int least = least(System.getProperty(LEVEL, "warn"));

    @Override
    public Logger getLogger(String name) {
        return loggers.computeIfAbsent(name, given -> new StandardErrorLogger(given, least));
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return this;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return context;
    }

    @Override
    public String getRequestedApiVersion() {
        return API_VERSION;
    }

    @Override
    public void initialize() {
        // the constructor initialises everything
    }

    private static int least(String word) {
        if (word.equalsIgnoreCase("off")) {
            return Integer.MAX_VALUE;
        }
        for (Level level : Level.values()) {
            if (level.name().equalsIgnoreCase(word)) {
                return level.toInt();
            }
        }
        return Level.WARN.toInt(); // an unknown level must not suppress warnings
    }
}
