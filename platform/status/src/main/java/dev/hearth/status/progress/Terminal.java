package dev.hearth.status.progress;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What standard error is. The launcher knows whether it is a terminal; without it, the JDK's console is asked. */
final class Terminal {
    /** Set by bin/hearth, which can test the file descriptor itself. */
    static final String PROPERTY = "hearth.stderr.terminal";

    static final Charset CHARSET = StandardCharsets.US_ASCII;
    private static final int COLUMNS_DEFAULT = 80;
    private static final int COLUMNS_MIN = 20;
    private static final int COLUMNS_MAX = 1000;
    private static final int MAJOR_WITH_CONSOLES_EVERYWHERE = 22;

    private Terminal() {}

    static boolean isTerminal(@Nullable String told) {
        return told == null ? console() : Boolean.parseBoolean(told);
    }

    /** The descriptor itself: what an application makes of its standard streams is its own business. */
    static OutputStream standardError() {
        return new FileOutputStream(FileDescriptor.err);
    }

    static int columns(Map<String, String> environment) {
        try {
            int columns = Integer.parseInt(environment.getOrDefault("COLUMNS", ""));
            return Math.max(COLUMNS_MIN, Math.min(COLUMNS_MAX, columns));
        } catch (NumberFormatException unset) {
            return COLUMNS_DEFAULT;
        }
    }

    @SuppressWarnings("SystemConsoleNull") // asked further where it never is
    private static boolean console() {
        Object console = System.console();
        if (console == null || Runtime.version().feature() < MAJOR_WITH_CONSOLES_EVERYWHERE) {
            return console != null;
        }
        try {
            return Boolean.TRUE.equals(Console.class.getMethod("isTerminal").invoke(console));
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException unknown) {
            return false; // rather no progress than codes in somebody's file
        }
    }
}
