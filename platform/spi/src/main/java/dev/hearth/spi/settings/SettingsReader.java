package dev.hearth.spi.settings;

import java.util.LinkedHashMap;
import java.util.Map;
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

    /** Value of setting {@code key}, which must have a default: the default if the setting is not set or invalid. */
    public <T> T read(SettingKey<T> key) {
        T otherwise = key.byDefault()
                .orElseThrow(() -> new IllegalArgumentException("setting " + key + ": has no default; use find"));
        return find(key).orElse(otherwise);
    }

    /**
     * Value of setting {@code key}; empty if the setting is not set or invalid. An invalid value is recorded for {@link
     * #finish}.
     */
    public <T> Optional<T> find(SettingKey<T> key) {
        return find(key, key.name());
    }

    /** Values of a family, by the part of their names that takes the place of its asterisk, in the order of names. */
    public <T> Map<String, T> readAll(SettingKey<T> family) {
        Map<String, T> values = new LinkedHashMap<>();
        for (String name : settings.keys()) {
            if (family.contains(name)) {
                find(family, name).ifPresent(value -> values.put(family.member(name), value));
            }
        }
        return values;
    }

    private <T> Optional<T> find(SettingKey<T> key, String name) {
        try {
            Optional<String> text = settings.text(name);
            Optional<T> value = text.flatMap(found -> key.parse(name, found));
            if (text.isPresent() && value.isEmpty()) {
                problems.add(settings.problem(name, key.rule()));
            }
            return value;
        } catch (BadReferenceException bad) {
            problems.add(bad.line());
            return Optional.empty();
        }
    }

    /**
     * Records that the value of {@code key} breaks {@code rule}, a rule beyond its declaration, unless {@code holds} is
     * true.
     */
    public SettingsReader expect(boolean holds, SettingKey<?> key, String rule) {
        if (!holds) {
            String found = settings.shown(key.name()).orElseGet(key::defaultText);
            problems.add(Problems.line(
                    key.name(), found, rule, settings.origin(key.name()).orElse("default")));
        }
        return this;
    }

    /**
     * As {@link #expect}, for the value of {@code family} whose name has {@code member} in place of the asterisk.
     */
    public SettingsReader expectMember(boolean holds, SettingKey<?> family, String member, String rule) {
        String name = family.name().substring(0, family.name().length() - 1) + member;
        if (!holds) {
            String found = settings.shown(name).orElse("");
            problems.add(Problems.line(name, found, rule, settings.origin(name).orElse("default")));
        }
        return this;
    }

    /**
     * Fails with {@code BAD_SETTING} if a value read so far was invalid or broke a rule. The failure lists all these
     * problems with their origins.
     */
    public void finish() {
        problems.throwIfAny();
    }
}
