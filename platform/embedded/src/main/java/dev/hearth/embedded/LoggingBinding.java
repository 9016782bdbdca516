package dev.hearth.embedded;

import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Binds slf4j to standard error, unless the application has an slf4j binding of its own. Called once, before the engine
 * creates its first logger. Has no effect if the application has used slf4j before.
 */
final class LoggingBinding {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    /**
     * Files on the class path that show that the application has an slf4j binding: the first for slf4j 2, the second
     * for slf4j 1.
     */
    private static final List<String> BINDINGS =
            List.of("META-INF/services/org.slf4j.spi.SLF4JServiceProvider", "org/slf4j/impl/StaticLoggerBinder.class");

    private LoggingBinding() {}

    static void bind() {
        if (System.getProperty(PROVIDER) != null || isBound()) {
            return;
        }
        boolean quiet = System.getProperty(VERBOSITY) == null;
        System.setProperty(PROVIDER, StandardErrorLogging.class.getName());
        try {
            if (quiet) { // suppresses the message of slf4j about the provider it uses
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
