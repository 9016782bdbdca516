package dev.hearth.shell.gogo.answer;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * Sizes, durations and times as people read them. In JSON they stay numbers, whose fields name the unit. Stateless.
 */
public final class Units {
    private static final long KIBI = 1024;
    private static final String BINARY_UNITS = "KMGTPE";
    private static final double MILLIS_PER_SECOND = 1_000;
    private static final long SECONDS_OF_ONE_DIGIT = 10;

    private Units() {}

    /** Memory as settings write it: {@code 512m}, {@code 2g}. */
    public static OutputValue mebibytes(OptionalLong mebibytes) {
        OutputValue value = OutputValue.of(mebibytes);
        return mebibytes.isPresent() ? value.shownAs(mebibytes(mebibytes.getAsLong())) : value;
    }

    static String mebibytes(long mebibytes) {
        return mebibytes % KIBI == 0 && mebibytes != 0 ? mebibytes / KIBI + "g" : mebibytes + "m";
    }

    /** Duration with its two largest units: {@code 0.4s}, {@code 12s}, {@code 3m 5s}, {@code 2h 10m}, {@code 4d 1h}. */
    public static OutputValue millis(OptionalLong millis) {
        OutputValue value = OutputValue.of(millis);
        return millis.isPresent() ? value.shownAs(duration(Duration.ofMillis(millis.getAsLong()))) : value;
    }

    static String duration(Duration time) {
        if (time.toSeconds() < SECONDS_OF_ONE_DIGIT) {
            return String.format(Locale.ROOT, "%.1fs", time.toMillis() / MILLIS_PER_SECOND);
        }
        if (time.toMinutes() == 0) {
            return time.toSeconds() + "s";
        }
        if (time.toHours() == 0) {
            return time.toMinutes() + "m " + time.toSecondsPart() + "s";
        }
        return time.toDays() == 0
                ? time.toHours() + "h " + time.toMinutesPart() + "m"
                : time.toDays() + "d " + time.toHoursPart() + "h";
    }

    /** Size with one digit after the point: {@code 0.5 MiB}, {@code 12.0 KiB}; nothing for 0. */
    public static OutputValue bytes(long bytes) {
        return OutputValue.of(bytes).shownAs(size(bytes));
    }

    static String size(long bytes) {
        if (bytes == 0) {
            return "";
        }
        if (bytes < KIBI) {
            return bytes + " B";
        }
        double scaled = bytes;
        int unit = 0;
        while (scaled >= KIBI && unit < BINARY_UNITS.length()) {
            scaled /= KIBI;
            unit++;
        }
        return String.format(Locale.ROOT, "%.1f %siB", scaled, BINARY_UNITS.charAt(unit - 1));
    }

    /** Time in milliseconds since 1970, in ISO 8601 and UTC. */
    public static OutputValue time(OptionalLong millis) {
        OutputValue value = OutputValue.of(millis);
        return millis.isPresent()
                ? value.shownAs(Instant.ofEpochMilli(millis.getAsLong())
                        .truncatedTo(ChronoUnit.SECONDS)
                        .toString())
                : value;
    }
}
