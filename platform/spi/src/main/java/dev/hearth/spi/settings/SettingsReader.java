package dev.hearth.spi.settings;

import java.util.Optional;

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

    /** The value of a setting that has a default. */
    public <T> T read(SettingKey<T> key) {
        T otherwise = key.byDefault()
                .orElseThrow(() -> new IllegalArgumentException("setting " + key + ": has no default; use find"));
        return find(key).orElse(otherwise);
    }

    /** The value of a setting where it was given; one that cannot be read is noted, and empty. */
    public <T> Optional<T> find(SettingKey<T> key) {
        try {
            Optional<String> given = settings.text(key.name());
            Optional<T> value = given.flatMap(key::parse);
            if (given.isPresent() && value.isEmpty()) {
                problems.add(settings.problem(key.name(), key.rule()));
            }
            return value;
        } catch (BadReferenceException bad) {
            problems.add(bad.line());
            return Optional.empty();
        }
    }

    /** Notes that the value of {@code key} breaks a rule beyond its own, unless {@code holds}. */
    public SettingsReader expect(boolean holds, SettingKey<?> key, String rule) {
        if (!holds) {
            String found = settings.shown(key.name()).orElseGet(key::defaultText);
            problems.add(Problems.line(
                    key.name(), found, rule, settings.origin(key.name()).orElse("default")));
        }
        return this;
    }

    /** Ends the reading: all problems found, at once, each with its origin. */
    public void finish() {
        problems.throwIfAny();
    }
}
