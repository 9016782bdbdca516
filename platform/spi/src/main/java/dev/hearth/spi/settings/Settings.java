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
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Settings by key, each with its origin. Immutable.
 * <p>Spark's keys ({@code spark.x}) are aliases of {@code hearth.x}. Sources are added from the lowest rank to the
 * highest; within one source {@code hearth.x} overrides {@code spark.x}. References in values from
 * {@link SettingsSources} are resolved lazily, so that they see the highest-ranking value.
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

    /**
     * These settings, overridden by {@code source}, with {@code origin} as the origin of its entries. The values of
     * {@code source} are literal: references in them are not resolved.
     */
    public Settings with(String origin, Map<String, String> source) {
        return with(source.entrySet().stream()
                .map(entry -> new SourceEntry(entry.getKey(), ValueTemplate.literal(entry.getValue()), origin))
                .toList());
    }

    /** These settings, overridden by the settings {@code higher}, which keep their own origins. */
    public Settings with(Settings higher) {
        SortedMap<String, SettingValue> merged = new TreeMap<>(byKey);
        merged.putAll(higher.byKey);
        return new Settings(merged);
    }

    public Settings with(String origin, String key, String value) {
        return with(origin, Map.of(key, value));
    }

    /** These settings without {@code key}. */
    public Settings without(String key) {
        SortedMap<String, SettingValue> rest = new TreeMap<>(byKey);
        rest.remove(key);
        return new Settings(rest);
    }

    /** These settings, overridden by those of {@code source}. If a key occurs twice in it, the last value counts. */
    Settings with(List<SourceEntry> source) {
        SortedMap<String, SettingValue> merged = new TreeMap<>(byKey);
        for (SourceEntry entry : source) {
            if (entry.key().startsWith(ALIAS_PREFIX)) {
                merged.put(keyOf(entry.key()), new SettingValue(entry.template(), entry.origin(), entry.key()));
            }
        }
        for (SourceEntry entry : source) {
            if (!entry.key().startsWith(ALIAS_PREFIX)) {
                merged.put(entry.key(), new SettingValue(entry.template(), entry.origin(), ""));
            }
        }
        return new Settings(merged);
    }

    /**
     * Value of {@code key} with its references resolved; empty if the key is not set. Fails with {@code BAD_SETTING} if
     * the value contains an unset or circular reference.
     */
    public Optional<String> find(String key) {
        try {
            return text(key);
        } catch (BadReferenceException bad) {
            throw ErrorCode.BAD_SETTING.failure(bad.line(), bad);
        }
    }

    /** Origin of the value of {@code key}, such as a file and line; empty if the key is not set. */
    public Optional<String> origin(String key) {
        return Optional.ofNullable(byKey.get(key)).map(SettingValue::origin);
    }

    public Set<String> keys() {
        return byKey.keySet();
    }

    /** All settings as keys and resolved values, sorted by key. Fails as {@link #find} does. */
    public Map<String, String> values() {
        Map<String, String> values = new LinkedHashMap<>();
        byKey.keySet().forEach(key -> values.put(key, find(key).orElse("")));
        return Collections.unmodifiableMap(values);
    }

    /**
     * Value of {@code key} for display: {@link Secrets#HIDDEN} if it is a secret or refers to one; empty if the key is
     * not set.
     */
    public Optional<String> shown(String key) {
        SettingValue setting = byKey.get(key);
        if (setting == null) {
            return Optional.empty();
        }
        boolean hidden = Secrets.isPath(key)
                ? new ReferenceResolver(byKey).refersToSecret(key, setting)
                : isSecret(key, setting);
        if (hidden) {
            return Optional.of(Secrets.HIDDEN);
        }
        try {
            return text(key).map(value -> Secrets.shown(key, value));
        } catch (BadReferenceException bad) { // show it unresolved
            return Optional.of(Secrets.shown(key, setting.template().written()));
        }
    }

    /**
     * Names of the environment variables that may hold secrets: those that set secret settings, and those that the
     * value of a secret setting refers to.
     */
    public Set<String> secretVariables() {
        Set<String> names = new TreeSet<>(EnvironmentVariables.ofSecrets());
        byKey.forEach((key, setting) -> {
            if (isSecret(key, setting)) {
                names.addAll(setting.template().variables());
            }
        });
        return names;
    }

    /**
     * Values, by key, of the settings that are secrets, without settings that refer to a key or an environment variable
     * that is not set.
     */
    public Map<String, String> secrets() {
        return secrets(setting -> true);
    }

    /**
     * Values, by key, of those settings that are secrets and come from environment variables, directly or by reference.
     */
    public Map<String, String> secretsOfEnvironment() {
        return secrets(setting -> setting.origin().startsWith(SourceEntry.ENVIRONMENT)
                || !setting.template().variables().isEmpty());
    }

    private Map<String, String> secrets(Predicate<SettingValue> selected) {
        Map<String, String> secrets = new LinkedHashMap<>();
        byKey.forEach((key, setting) -> {
            try {
                if (selected.test(setting) && isSecret(key, setting)) {
                    text(key).ifPresent(value -> secrets.put(key, value));
                }
            } catch (BadReferenceException unset) {
                // reported by the component that reads the setting
            }
        });
        return secrets;
    }

    /**
     * These settings without those secrets that refer to unset environment variables. For use in a child process: its
     * parent does not pass on the variables with secrets, and passes the secrets that the child needs in another way.
     */
    public Settings withoutUnsetSecrets() {
        SortedMap<String, SettingValue> rest = new TreeMap<>(byKey);
        rest.entrySet()
                .removeIf(entry -> entry.getValue().template().parts().stream()
                        .filter(part -> part.kind() == ValueTemplate.Kind.UNSET)
                        .anyMatch(part -> Secrets.isSecret(entry.getKey()) || Secrets.isSecret(part.text())));
        return new Settings(rest);
    }

    private boolean isSecret(String key, SettingValue setting) {
        return new ReferenceResolver(byKey).isSecret(key, setting);
    }

    Optional<String> text(String key) throws BadReferenceException {
        SettingValue setting = byKey.get(key);
        return setting == null ? Optional.empty() : Optional.of(new ReferenceResolver(byKey).fill(key, setting));
    }

    /** Whether the value of {@code key} was written under Spark's key, {@code spark.x}. */
    boolean isAlias(String key) {
        return byKey.getOrDefault(key, SettingValue.NONE).isAlias();
    }

    /** Message that the value of {@code key} breaks {@code rule}, with the origin of the value. */
    String problem(String key, String rule) {
        return Problems.line(key, shown(key).orElse("none"), rule, origin(key).orElse("default"));
    }

    /** The name {@code hearth.x} of the setting {@code key}, which may also be the alias {@code spark.x}. */
    static String keyOf(String key) {
        return key.startsWith(ALIAS_PREFIX) ? PREFIX + key.substring(ALIAS_PREFIX.length()) : key;
    }
}
