package dev.hearth.rpc.internal.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Formats and parses dates in HTTP headers, which have a resolution of one second. Stateless. */
final class HttpDate {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private HttpDate() {}

    static String text(Instant moment) {
        return FORM.format(moment);
    }

    /** Parses a date. Returns empty if it is malformed; the header is then ignored. */
    static Optional<Instant> parse(String text) {
        try {
            return Optional.of(FORM.parse(text.strip(), Instant::from));
        } catch (DateTimeException other) {
            return Optional.empty();
        }
    }

    /**
     * Whether a resource last modified at {@code modified} is unchanged since {@code since}, the date in a request
     * header. Fractions of a second are ignored.
     */
    static boolean isUnchanged(Instant modified, Instant since) {
        return !modified.truncatedTo(ChronoUnit.SECONDS).isAfter(since);
    }
}
