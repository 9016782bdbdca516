package dev.hearth.spi.settings;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Settings by key, each with where it came from. Immutable.
 * <p>Keys of the field ({@code spark.x}) are aliases: they are held under {@code hearth.x}. Sources are added from the
 * lowest rank to the highest; within one source {@code hearth.x} beats {@code spark.x}.
 */
public final class Settings {
    public static final String PREFIX = "hearth.";
    private static final String ALIAS_PREFIX = "spark.";
    private static final Settings EMPTY = new Settings(new TreeMap<>());

    private final SortedMap<String, Setting> byKey;

    private Settings(SortedMap<String, Setting> byKey) {
        this.byKey = Collections.unmodifiableSortedMap(byKey);
    }

    public static Settings empty() {
        return EMPTY;
    }

    /** These settings, with those of {@code source} ranking above them. */
    public Settings with(String origin, Map<String, String> source) {
        SortedMap<String, Setting> merged = new TreeMap<>(byKey);
        source.forEach((key, value) -> {
            if (key.startsWith(ALIAS_PREFIX)) {
                merged.put(PREFIX + key.substring(ALIAS_PREFIX.length()), new Setting(value, origin));
            }
        });
        source.forEach((key, value) -> {
            if (!key.startsWith(ALIAS_PREFIX)) {
                merged.put(key, new Setting(value, origin));
            }
        });
        return new Settings(merged);
    }

    /** These settings, with all of {@code higher} ranking above them, origins kept. */
    public Settings with(Settings higher) {
        SortedMap<String, Setting> merged = new TreeMap<>(byKey);
        merged.putAll(higher.byKey);
        return new Settings(merged);
    }

    public Settings with(String origin, String key, String value) {
        return with(origin, Map.of(key, value));
    }

    public Optional<String> find(String key) {
        return Optional.ofNullable(byKey.get(key)).map(Setting::value);
    }

    /** Where the value of a key came from; empty when there is none. */
    public Optional<String> origin(String key) {
        return Optional.ofNullable(byKey.get(key)).map(Setting::origin);
    }

    /** Keys and values, in the order of the keys. */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byKey.forEach((key, setting) -> values.put(key, setting.value()));
        return Collections.unmodifiableMap(values);
    }

    private record Setting(String value, String origin) {}
}
