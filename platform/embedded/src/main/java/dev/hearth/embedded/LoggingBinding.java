package dev.hearth.embedded;

import java.util.List;
import org.slf4j.LoggerFactory;

/**
 * Binds logging: to the application's if slf4j has a binding, else to standard error. Called once, before the first
 * logger is created; an earlier use of slf4j by the application has fixed the binding already.
 */
final class LoggingBinding {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";
    /** Resources that bind slf4j: the first of version 2, the second of version 1. */
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
            if (quiet) { // suppresses slf4j's message about the provider
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
