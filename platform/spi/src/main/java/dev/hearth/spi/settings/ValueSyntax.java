package dev.hearth.spi.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats the values of settings: flags, durations and sizes. Stateless. */
final class ValueSyntax {
    private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18})\\s*([a-zA-Z]*)");

    private ValueSyntax() {}

    static Optional<Boolean> flag(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        };
    }

    /**
     * Parses a duration such as {@code 250ms}, {@code 10s}, {@code 2m}, {@code 1h} or {@code 1d}. A number without a
     * unit counts units of {@code bare}; other text gives an empty result.
     */
    static Optional<Duration> duration(String text, ChronoUnit bare) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "" -> Optional.of(Duration.of(amount, bare));
            case "ms" -> Optional.of(Duration.ofMillis(amount));
            case "s" -> Optional.of(Duration.ofSeconds(amount));
            case "m", "min" -> Optional.of(Duration.ofMinutes(amount));
            case "h" -> Optional.of(Duration.ofHours(amount));
            case "d" -> Optional.of(Duration.ofDays(amount));
            default -> Optional.empty();
        };
    }

    static String show(Duration value) {
        long millis = value.toMillis();
        if (millis % 1_000 != 0) {
            return millis + "ms";
        }
        long seconds = millis / 1_000;
        if (seconds % 3_600 == 0 && seconds > 0) {
            return seconds / 3_600 + "h";
        }
        return seconds % 60 == 0 && seconds > 0 ? seconds / 60 + "m" : seconds + "s";
    }

    /**
     * Parses a size such as {@code 512m}, {@code 2g} or {@code 1t} to a number of mebibytes, which are also the default
     * unit. Only an amount of 0 is a size of 0: a size below one mebibyte is refused, since 0 may stand for no bound.
     */
    static Optional<Integer> mebibytes(String text) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        long mebibytes = switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "k", "kb" -> amount / 1024;
            case "", "m", "mb" -> amount;
            case "g", "gb" -> Math.multiplyExact(amount, 1024L);
            case "t", "tb" -> Math.multiplyExact(amount, 1024L * 1024);
            default -> -1L;
        };
        boolean known = mebibytes > 0 || (mebibytes == 0 && amount == 0);
        return known ? Optional.of(Math.toIntExact(mebibytes)) : Optional.empty();
    }
}
