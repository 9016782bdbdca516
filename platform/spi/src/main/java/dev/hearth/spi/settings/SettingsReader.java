package dev.hearth.spi.settings;

import java.util.Optional;

/**
 * Reads typed values from {@link Settings}. A component creates one reader, when it starts. Not thread-safe.
 * <p>An invalid value is recorded and replaced by its default, so that {@link #finish} reports all problems together.
 */
public final class SettingsReader {
    private final Settings settings;
    private final Problems problems = new Problems("hearth");

    public SettingsReader(Settings settings) {
        this.settings = settings;
    }

    /** Value of a setting that has a default. */
    public <T> T read(SettingKey<T> key) {
        T otherwise = key.byDefault()
                .orElseThrow(() -> new IllegalArgumentException("setting " + key + ": has no default; use find"));
        return find(key).orElse(otherwise);
    }

    /** Value of a setting if it is set. An invalid value is recorded and reads as empty. */
    public <T> Optional<T> find(SettingKey<T> key) {
        try {
            Optional<String> text = settings.text(key.name());
            Optional<T> value = text.flatMap(key::parse);
            if (text.isPresent() && value.isEmpty()) {
                problems.add(settings.problem(key.name(), key.rule()));
            }
            return value;
        } catch (BadReferenceException bad) {
            problems.add(bad.line());
            return Optional.empty();
        }
    }

    /** Records a problem of {@code key}, for rules beyond its declaration, unless {@code holds} is true. */
    public SettingsReader expect(boolean holds, SettingKey<?> key, String rule) {
        if (!holds) {
            String found = settings.shown(key.name()).orElseGet(key::defaultText);
            problems.add(Problems.line(
                    key.name(), found, rule, settings.origin(key.name()).orElse("default")));
        }
        return this;
    }

    /** Fails with {@code BAD_SETTING} if there are problems, listing all of them with their origins. */
    public void finish() {
        problems.throwIfAny();
    }
}
