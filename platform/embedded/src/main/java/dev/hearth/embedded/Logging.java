package dev.hearth.embedded;

import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Where our messages go: to the application's logging if slf4j is bound to any; else warnings go to standard error. Done once,
 * before the first logger of ours is made; an application that used slf4j before has made its choice already.
 */
final class Logging {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    /** What binds slf4j: of its second line, and of the first. */
    private static final List<String> BINDINGS =
            List.of("META-INF/services/org.slf4j.spi.SLF4JServiceProvider", "org/slf4j/impl/StaticLoggerBinder.class");

    private Logging() {}

    static void bind() {
        if (System.getProperty(PROVIDER) != null || isBound()) {
            return;
        }
        boolean quiet = System.getProperty(VERBOSITY) == null;
        System.setProperty(PROVIDER, StandardErrorLogging.class.getName());
        try {
            if (quiet) { // else slf4j announces which provider it was given
                System.setProperty(VERBOSITY, "WARN");
            }
            LoggerFactory.getILoggerFactory();
        } finally {
            System.clearProperty(PROVIDER);
            if (quiet) {
                System.clearProperty(VERBOSITY);
            }
        }
    }

    private static boolean isBound() {
        ClassLoader classes = LoggerFactory.class.getClassLoader();
        for (String binding : BINDINGS) {
            if ((classes == null ? ClassLoader.getSystemResource(binding) : classes.getResource(binding)) != null) {
                return true;
            }
        }
        return false;
    }
}
