package dev.hearth.status.progress;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Facts about standard error: whether it is a terminal, and its character set. The launcher tests for a terminal and passes the result as a system property. Without the property, the JDK's {@link System#console} decides.
 */
final class Terminal {
    /**
     * System property that says whether standard error is a terminal. The launcher {@code bin/hearth} sets it, because
     * a shell script can test the file descriptor.
     */
    static final String PROPERTY = "hearth.stderr.terminal";

    static final Charset CHARSET = StandardCharsets.US_ASCII;
    private static final int MAJOR_WITH_CONSOLES_EVERYWHERE = 22;

    private Terminal() {}

    static boolean isTerminal(@Nullable String property) {
        return property == null ? console() : Boolean.parseBoolean(property);
    }

    @SuppressWarnings("SystemConsoleNull") // never null on newer JDKs, so isTerminal is called below
    private static boolean console() {
        Object console = System.console();
        if (console == null || Runtime.version().feature() < MAJOR_WITH_CONSOLES_EVERYWHERE) {
            return console != null;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
            return false; // standard error may be a file, which must not get control characters
        }
    }
}
