package dev.hearth.spi.settings;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads typed values out of {@link Settings}, once, at the edge. Not shared between threads.
 * <p>A value that cannot be read is noted and its default used, so that {@link #finish} reports all of them at once.
 */
public final class SettingsReader {
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
        return read(key, otherwise, "a time such as 250ms, 10s, 2m or 1h", Values::duration);
    }

    /** A size in mebibytes, given as {@code 512m}, {@code 2g}, {@code 1t}; without a unit, mebibytes. */
    public int mebibytes(String key, int otherwise) {
        return read(key, otherwise, "a size such as 512m or 2g, at least 1m", Values::mebibytes);
    }

    /** The value of a setting that has a default. */
    public <T> T read(SettingKey<T> key) {
        T otherwise = key.byDefault()
                .orElseThrow(() -> new IllegalArgumentException("setting " + key + ": has no default; use find"));
        return read(key.name(), otherwise, key.rule(), key::parse);
    }

    /** The value of a setting where it was given; one that cannot be read is noted, and empty. */
    public <T> Optional<T> find(SettingKey<T> key) {
        return settings.find(key.name()).flatMap(given -> {
            Optional<T> value = key.parse(given);
            if (value.isEmpty()) {
                note(key.name(), given, key.rule());
            }
            return value;
        });
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
            note(key, text.get(), rule);
        }
        return value.orElse(otherwise);
    }

    private void note(String key, String found, String rule) {
        problems.add(key + ": " + found + " (expected: " + rule + "); from "
                + settings.origin(key).orElse("nowhere"));
    }
}
