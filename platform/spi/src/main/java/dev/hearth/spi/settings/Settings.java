package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings by key, each with where it came from. Immutable.
 * <p>Keys of the field ({@code spark.x}) are aliases: they are held under {@code hearth.x}. Sources are added from the
 * lowest rank to the highest; within one source {@code hearth.x} beats {@code spark.x}. References in values that came
 * from {@link SettingsSources} are filled in when asked for, so that they see what ranks highest.
 */
public final class Settings {
    public static final String PREFIX = "hearth.";
    static final String ALIAS_PREFIX = "spark.";
    private static final Settings EMPTY = new Settings(new TreeMap<>());

    private final SortedMap<String, SettingValue> byKey;

    private Settings(SortedMap<String, SettingValue> byKey) {
        this.byKey = Collections.unmodifiableSortedMap(byKey);
    }

    public static Settings empty() {
        return EMPTY;
    }

    /** These settings, with those of {@code source} ranking above them, taken to the letter. */
    public Settings with(String origin, Map<String, String> source) {
        return with(source.entrySet().stream()
                .map(entry -> new SourceEntry(entry.getKey(), ValueTemplate.literal(entry.getValue()), origin))
                .toList());
    }

    /** These settings, with all of {@code higher} ranking above them, origins kept. */
    public Settings with(Settings higher) {
        SortedMap<String, SettingValue> merged = new TreeMap<>(byKey);
        merged.putAll(higher.byKey);
        return new Settings(merged);
    }

    public Settings with(String origin, String key, String value) {
        return with(origin, Map.of(key, value));
    }

    /** These settings, with those of one source ranking above them; of a key given twice the last counts. */
    Settings with(List<SourceEntry> source) {
        SortedMap<String, SettingValue> merged = new TreeMap<>(byKey);
        for (SourceEntry given : source) {
            if (given.key().startsWith(ALIAS_PREFIX)) {
                merged.put(keyOf(given.key()), new SettingValue(given.template(), given.origin(), given.key()));
            }
        }
        for (SourceEntry given : source) {
            if (!given.key().startsWith(ALIAS_PREFIX)) {
                merged.put(given.key(), new SettingValue(given.template(), given.origin(), ""));
            }
        }
        return new Settings(merged);
    }

    /** The value of a key; fails with {@code BAD_SETTING} when it refers to what is not there, or to itself. */
    public Optional<String> find(String key) {
        try {
            return text(key);
        } catch (BadReferenceException bad) {
            throw ErrorCode.BAD_SETTING.failure(bad.line(), bad);
        }
    }

    /** Where the value of a key came from; empty when there is none. */
    public Optional<String> origin(String key) {
        return Optional.ofNullable(byKey.get(key)).map(SettingValue::origin);
    }

    public Set<String> keys() {
        return byKey.keySet();
    }

    /** Keys and values, in the order of the keys. */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byKey.keySet().forEach(key -> values.put(key, find(key).orElse("")));
        return Collections.unmodifiableMap(values);
    }

    /** The value of a key as people may see it: {@link Secrets#HIDDEN} where it is a secret or refers to one. */
    public Optional<String> shown(String key) {
        SettingValue setting = byKey.get(key);
        if (setting == null) {
            return Optional.empty();
        }
        if (new ReferenceResolver(byKey).isSecret(key, setting)) {
            return Optional.of(Secrets.HIDDEN);
        }
        try {
            return text(key).map(value -> Secrets.shown(key, value));
        } catch (BadReferenceException bad) { // still worth showing, as it was written
            return Optional.of(Secrets.shown(key, setting.template().written()));
        }
    }

    Optional<String> text(String key) throws BadReferenceException {
        SettingValue setting = byKey.get(key);
        return setting == null ? Optional.empty() : Optional.of(new ReferenceResolver(byKey).fill(key, setting));
    }

    /** Whether the value was given under the field's name for the key. */
    boolean isAlias(String key) {
        return byKey.getOrDefault(key, SettingValue.NONE).isAlias();
    }

    /** What to say of a value that breaks {@code rule}. */
    String problem(String key, String rule) {
        return Problems.line(key, shown(key).orElse("none"), rule, origin(key).orElse("default"));
    }

    /** The key of ours that {@code key} is, or is an alias of. */
    static String keyOf(String key) {
        return key.startsWith(ALIAS_PREFIX) ? PREFIX + key.substring(ALIAS_PREFIX.length()) : key;
    }
}
