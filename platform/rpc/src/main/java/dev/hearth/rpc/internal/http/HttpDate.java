package dev.hearth.rpc.internal.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;

/** Moments as HTTP writes them, to the second. Stateless. */
final class HttpDate {
    private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.US)
            .withZone(ZoneOffset.UTC);

    private HttpDate() {}

    static String text(Instant moment) {
        return FORM.format(moment);
    }

    /** The moment that is written; empty when it is none, and then the header means nothing. */
    static Optional<Instant> parse(String text) {
        try {
            return Optional.of(FORM.parse(text.strip(), Instant::from));
        } catch (DateTimeException other) {
            return Optional.empty();
        }
    }

    /** Whether nothing has changed after {@code since}, as far as seconds can tell. */
    static boolean isUnchanged(Instant modified, Instant since) {
        return !modified.truncatedTo(ChronoUnit.SECONDS).isAfter(since);
    }
}
