package dev.hearth.spi.settings;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Catalog of the known settings: those declared by active bundles, and those of the distribution's other bundles, which
 * this process does not load. Each caller creates an instance and uses it on one thread. The list of the distribution's
 * settings is read lazily.
 */
public final class SettingsCatalog {
    /**
     * File in the installation with the settings that all bundles of the distribution declare, one per line. It is
     * stored beside their jars, so that both are updated together.
     */
    private static final Path SHIPPED = Path.of("lib", "settings.tsv");

    private static final int SHIPPED_COLUMNS = 4;
    /** Most letters in which a misspelt key of Spark differs from a declared one; others are keys of their own. */
    private static final int ALIAS_DISTANCE_MAX = 2;
    /** Least length of a declared key, without its prefix, that may be meant by a misspelt key of Spark. */
    private static final int ALIAS_LETTERS_MIN = 8;

    /**
     * Whether an undeclared setting under {@code hearth.} fails the start of the process, instead of causing a warning.
     */
    public static final SettingKey<Boolean> STRICT = SettingKey.flag(
            "hearth.conf.strict", false, "Reject undeclared settings under `hearth.` instead of logging a warning.");

    private final Map<String, Declared> live = new LinkedHashMap<>();
    private final Supplier<List<String>> list;

    /**
     * Creates a catalog of the settings that {@code groups} declare, and of those in the list of the installation in
     * directory {@code home}.
     */
    public SettingsCatalog(Collection<? extends SettingsGroup> groups, Path home) {
        this(groups, () -> shipped(home.resolve(SHIPPED)));
    }

    /** Supplier of the list of the installation in directory {@code home}, which reads it once. Any thread may use it. */
    public static Supplier<List<String>> listOf(Path home) {
        AtomicReference<List<String>> read = new AtomicReference<>();
        return () -> read.updateAndGet(before -> before == null ? shipped(home.resolve(SHIPPED)) : before);
    }

    /**
     * Creates a catalog of the settings that {@code groups} declare, and of those that {@code list} supplies, one per
     * line; {@code list} is called when first needed.
     */
    public SettingsCatalog(Collection<? extends SettingsGroup> groups, Supplier<List<String>> list) {
        for (SettingsGroup group : groups) {
            group.keys().forEach(key -> live.put(key.name(), new Declared(key, group.owner())));
        }
        this.list = list;
    }

    /**
     * Description of one setting, as {@code hearth:conf} displays it; {@code owner} is the module that declares it.
     * Unknown texts are empty.
     */
    public record Description(
            String key, String value, String origin, String byDefault, String owner, String description) {}

    /**
     * Checks all values in {@code settings} against the rules of their declarations and fails with {@code BAD_SETTING},
     * listing all problems. Returns a warning for each undeclared key under {@code hearth.}; with {@link #STRICT},
     * these fail as well. Undeclared keys under {@code spark.} may be for other programs: only those that are nearly a
     * declared one cause a warning, and none fails.
     */
    public List<String> check(Settings settings) {
        Problems problems = new Problems("hearth");
        List<String> unknown = new ArrayList<>();
        List<String> aliases = new ArrayList<>();
        for (String key : settings.keys()) {
            try {
                Optional<String> text = settings.text(key);
                Declared declared = find(key, live);
                if (declared != null
                        && text.flatMap(value -> declared.key.parse(key, value)).isEmpty()) {
                    problems.add(settings.problem(key, declared.key.rule()));
                } else if (declared == null && key.startsWith(Settings.PREFIX)) {
                    (settings.isAlias(key) ? aliases : unknown).add(key);
                }
            } catch (BadReferenceException bad) {
                problems.add(bad.line());
            }
        }
        List<String> warnings = unknown.isEmpty() ? List.of() : warnings(settings, unknown);
        if (settings.shown(STRICT.name()).flatMap(STRICT::parse).orElse(false)) {
            problems.addAll(warnings);
        }
        problems.throwIfAny();
        return aliases.isEmpty()
                ? warnings
                : Stream.concat(warnings.stream(), misspelt(settings, aliases).stream())
                        .toList();
    }

    /**
     * Descriptions of all settings that are set in {@code settings} or declared, sorted by key, with secrets hidden.
     */
    public List<Description> describe(Settings settings) {
        SortedMap<String, String[]> shipped = shipped();
        TreeSet<String> keys = new TreeSet<>(settings.keys());
        keys.addAll(live.keySet());
        keys.addAll(shipped.keySet());
        List<Description> described = new ArrayList<>();
        for (String key : keys) {
            Declared declared = find(key, live);
            String[] line = find(key, shipped);
            String byDefault = declared != null ? declared.key.defaultText() : line != null ? line[2] : "";
            described.add(new Description(
                    key,
                    settings.shown(key).orElse(Secrets.shown(key, byDefault)),
                    settings.origin(key).orElse("default"),
                    byDefault,
                    declared != null ? declared.owner : line != null ? line[3] : "",
                    declared != null ? declared.key.description() : ""));
        }
        return described;
    }

    /** Whether a running module declares {@code key}. */
    public boolean isDeclared(String key) {
        return find(key, live) != null;
    }

    private NavigableSet<String> known(SortedMap<String, String[]> shipped) {
        NavigableSet<String> known = new TreeSet<>();
        shipped.keySet().forEach(key -> known.add(rest(key)));
        live.keySet().forEach(key -> known.add(rest(key)));
        return known;
    }

    /** Warnings about keys of Spark that differ from a known one by a letter or two. */
    private List<String> misspelt(Settings settings, List<String> aliases) {
        List<String> unlisted = unlisted(aliases);
        if (unlisted.isEmpty()) {
            return List.of();
        }
        NavigableSet<String> known = known(shipped());
        known.removeIf(name -> name.length() < ALIAS_LETTERS_MIN || name.endsWith(SettingKey.FAMILY));
        List<String> warnings = new ArrayList<>();
        for (String key : unlisted) {
            SpellingSuggestion.nearest(rest(key), known, ALIAS_DISTANCE_MAX)
                    .ifPresent(near -> warnings.add("spark." + rest(key) + ": no such setting (expected: one that"
                            + " docs/configuration.md lists); from "
                            + settings.origin(key).orElse("nowhere") + "; did you mean spark." + near + "?"));
        }
        return warnings;
    }

    private List<String> warnings(Settings settings, List<String> unknown) {
        List<String> unlisted = unlisted(unknown);
        if (unlisted.isEmpty()) {
            return List.of();
        }
        NavigableSet<String> known = known(shipped());
        return unlisted.stream()
                .map(key -> key + ": no such setting (expected: one that docs/configuration.md lists); from "
                        + settings.origin(key).orElse("nowhere")
                        + SpellingSuggestion.nearest(rest(key), known)
                                .map(near -> "; did you mean " + Settings.PREFIX + near + "?")
                                .orElse(""))
                .toList();
    }

    /** Those of {@code keys} that the list has neither by name nor by family. Most requests ask this, and no more. */
    private List<String> unlisted(List<String> keys) {
        Map<String, Boolean> sought = new HashMap<>();
        keys.forEach(key -> names(key).forEach(name -> sought.put(name, false)));
        for (String line : list.get()) {
            int end = line.indexOf('\t');
            if (end > 0) {
                sought.computeIfPresent(line.substring(0, end), (name, before) -> before || isEntry(line));
            }
        }
        return keys.stream()
                .filter(key -> names(key).stream().noneMatch(name -> sought.getOrDefault(name, false)))
                .toList();
    }

    /** {@code key}, and all families that contain it. */
    private static List<String> names(String key) {
        List<String> names = new ArrayList<>(List.of(key));
        for (int dot = key.lastIndexOf('.'); dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
            names.add(key.substring(0, dot) + SettingKey.FAMILY);
        }
        return names;
    }

    private static boolean isEntry(String line) {
        return !line.startsWith("#") && line.split("\t", -1).length == SHIPPED_COLUMNS;
    }

    /**
     * {@code key} without the prefix {@code hearth.}, so that the prefix does not count in the search for similar
     * names.
     */
    private static String rest(String key) {
        return key.startsWith(Settings.PREFIX) ? key.substring(Settings.PREFIX.length()) : key;
    }

    /**
     * Entry of {@code key}, or else of the longest family that contains the key; null if there is neither. A family
     * {@code a.b.*} stands for all keys that begin with {@code a.b.}.
     */
    private static <T> @Nullable T find(String key, Map<String, T> entries) {
        T own = entries.get(key);
        for (int dot = key.lastIndexOf('.'); own == null && dot > 0; dot = key.lastIndexOf('.', dot - 1)) {
            own = entries.get(key.substring(0, dot) + SettingKey.FAMILY);
        }
        return own;
    }

    private SortedMap<String, String[]> shipped() {
        SortedMap<String, String[]> shipped = new TreeMap<>();
        for (String line : list.get()) {
            if (isEntry(line)) {
                String[] columns = line.split("\t", -1);
                shipped.put(columns[0], columns);
            }
        }
        return shipped;
    }

    private static List<String> shipped(Path list) {
        try {
            return Files.readAllLines(list);
        } catch (NoSuchFileException none) {
            // an installation that was not made from the distribution lacks the list: only the declarations of its
            // bundles are known
            return List.of();
        } catch (IOException unreadable) {
            throw ErrorCode.START_FAILED.failure(
                    list + ": cannot be read: " + unreadable + " (expected: the list that the distribution holds)",
                    unreadable);
        }
    }

    private record Declared(SettingKey<?> key, String owner) {}
}
