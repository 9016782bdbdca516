package dev.hearth.spi.settings;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads typed values out of {@link Settings}, once, at the edge. Not shared between threads.
 * <p>A value that cannot be read is noted and its default used, so that {@link #finish} reports all of them at once.
 */
public final class SettingsReader {
    private static final Pattern QUANTITY = Pattern.compile("(\\d{1,18})\\s*([a-zA-Z]*)");

    private final Settings settings;
    private final Problems problems = new Problems("hearth");

    public SettingsReader(Settings settings) {
        this.settings = settings;
    }

    public String text(String key, String otherwise) {
        return settings.find(key).orElse(otherwise);
    }

    public Optional<String> find(String key) {
        return settings.find(key);
    }

    public int integer(String key, int otherwise, int least) {
        String rule = "a whole number, " + least + " or more";
        return read(key, otherwise, rule, text -> {
            int value = Integer.parseInt(text);
            return value >= least ? Optional.of(value) : Optional.empty();
        });
    }

    public boolean flag(String key, boolean otherwise) {
        return read(key, otherwise, "true or false", text -> switch (text.toLowerCase(Locale.ROOT)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> Optional.empty();
        });
    }

    /** A time such as {@code 250ms}, {@code 10s}, {@code 2m}, {@code 1h}, {@code 1d}; without a unit, seconds. */
    public Duration duration(String key, Duration otherwise) {
        return read(key, otherwise, "a time such as 250ms, 10s, 2m or 1h", SettingsReader::parseDuration);
    }

    /** A size in mebibytes, given as {@code 512m}, {@code 2g}, {@code 1t}; without a unit, mebibytes. */
    public int mebibytes(String key, int otherwise) {
        return read(key, otherwise, "a size such as 512m or 2g, at least 1m", SettingsReader::parseMebibytes);
    }

    /** Ends the reading: all problems found, at once, each with its origin. */
    public void finish() {
        problems.throwIfAny();
    }

    private <T> T read(String key, T otherwise, String rule, Function<String, Optional<T>> parse) {
        Optional<String> text = settings.find(key).map(String::trim);
        if (text.isEmpty()) {
            return otherwise;
        }
        Optional<T> value;
        try {
            value = parse.apply(text.get());
        } catch (ArithmeticException | NumberFormatException tooLarge) {
            value = Optional.empty(); // reported below like any other unreadable value
        }
        if (value.isEmpty()) {
            problems.add(key + ": " + text.get() + " (expected: " + rule + "); from "
                    + settings.origin(key).orElse("nowhere"));
        }
        return value.orElse(otherwise);
    }

    private static Optional<Duration> parseDuration(String text) {
        Matcher matcher = QUANTITY.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2).toLowerCase(Locale.ROOT)) {
            case "ms" -> Optional.of(Duration.ofMillis(amount));
            case "", "s" -> Optional.of(Duration.ofSeconds(amount));
            case "m", "min" -> Optional.of(Duration.ofMinutes(amount));
            case "h" -> Optional.of(Duration.ofHours(amount));
            case "d" -> Optional.of(Duration.ofDays(amount));
            default -> Optional.empty();
        };
    }

    private static Optional<Integer> parseMebibytes(String text) {
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
            default -> 0L;
        };
        return mebibytes > 0 ? Optional.of(Math.toIntExact(mebibytes)) : Optional.empty();
    }
}
