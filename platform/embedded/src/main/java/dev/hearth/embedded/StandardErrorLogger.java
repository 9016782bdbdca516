package dev.hearth.embedded;

import dev.hearth.spi.error.PrintableText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/**
 * A logger of {@link StandardErrorLogging}. It prints each message by one call, so that messages of several threads do
 * not mix. Immutable.
 */
final class StandardErrorLogger extends LegacyAbstractLogger {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT);

    private static final long serialVersionUID = 1L;

    private final int least;

    /** Creates a logger that writes messages at level {@code least} or above. */
    StandardErrorLogger(String name, int least) {
        this.name = name;
        this.least = least;
    }

    @Override
    public boolean isTraceEnabled() {
        return isEnabled(Level.TRACE);
    }

    @Override
    public boolean isDebugEnabled() {
        return isEnabled(Level.DEBUG);
    }

    @Override
    public boolean isInfoEnabled() {
        return isEnabled(Level.INFO);
    }

    @Override
    public boolean isWarnEnabled() {
        return isEnabled(Level.WARN);
    }

    @Override
    public boolean isErrorEnabled() {
        return isEnabled(Level.ERROR);
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
        return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
            Level level,
            @Nullable Marker marker,
            String pattern,
            Object @Nullable [] arguments,
            @Nullable Throwable thrown) {
        String line = TIME.format(ZonedDateTime.now(ZoneId.systemDefault())) + " " + level + " ["
                + Thread.currentThread().getName() + "] " + name.substring(name.lastIndexOf('.') + 1) + ": "
                + MessageFormatter.basicArrayFormat(pattern, arguments);
        StringWriter trace = new StringWriter();
        if (thrown != null) {
            thrown.printStackTrace(new PrintWriter(trace, true));
        }
        String text = thrown == null ? "" : "\t" + PrintableText.marked(trace.toString());
        System.err.print(PrintableText.line(line) + System.lineSeparator() + text);
    }

    private boolean isEnabled(Level level) {
        return level.toInt() >= least;
    }
}
