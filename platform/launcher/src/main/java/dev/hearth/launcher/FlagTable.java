package dev.hearth.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The flags of an installation, from its file {@code lib/flags.tsv}: which of them take a value. Immutable. */
final class FlagTable {
    private static final int FLAG = 1;
    private static final int SHORT = 2;
    private static final int WORD = 3; // of the value
    private static final int SETTING = 4;
    private static final String NONE = "-";

    private final Map<String, Boolean> takesValue;
    private final Map<String, String> settings;

    private FlagTable(Map<String, Boolean> takesValue, Map<String, String> settings) {
        this.takesValue = takesValue;
        this.settings = settings;
    }

    /** Reads the table of the installation in {@code home}. Fails if that directory contains no installation. */
    static FlagTable read(Path home) throws IOException {
        try {
            return of(Files.readAllLines(home.resolve("lib").resolve("flags.tsv")));
        } catch (NoSuchFileException missing) {
            throw new IOException(
                    "installation " + home
                            + ": no file lib/flags.tsv (expected: the directory of an installation of Hearth)",
                    missing);
        }
    }

    /** Reads the table that this library contains, for programs without an installation. */
    static FlagTable shipped() throws IOException {
        try (InputStream in = Objects.requireNonNull(FlagTable.class.getResourceAsStream("flags.tsv"), "flags.tsv")) {
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
    }

    private static FlagTable of(List<String> lines) {
        Map<String, Boolean> flags = new HashMap<>();
        Map<String, String> settings = new HashMap<>();
        for (String line : lines) {
            String[] fields = line.split("\t", -1);
            if (!line.startsWith("#") && fields.length > SETTING) {
                boolean value = !fields[WORD].equals(NONE);
                // a flag of several managers may be a switch of one of them
                flags.merge(fields[FLAG], value, Boolean::logicalOr);
                flags.merge(fields[SHORT], value, Boolean::logicalOr);
                if (!fields[SETTING].equals(NONE)) {
                    settings.put(fields[FLAG], fields[SETTING]);
                    settings.put(fields[SHORT], fields[SETTING]);
                }
            }
        }
        flags.remove(NONE);
        settings.remove(NONE);
        return new FlagTable(flags, settings);
    }

    /** The setting that the flag {@code name} sets; empty if it sets none, or is not in the table. */
    Optional<String> setting(String name) {
        return Optional.ofNullable(settings.get(name));
    }

    /** Whether {@code name} is a flag of the table. */
    boolean knows(String name) {
        return takesValue.containsKey(name);
    }

    /**
     * Fails if one of {@code flags} lacks its value or has one too many. Flags that are not in the table pass, because a
     * bundle in deploy/ may bring them.
     */
    void check(List<SubmitFlag> flags) {
        for (SubmitFlag flag : flags) {
            boolean given = flag.value().isPresent();
            if (takesValue.getOrDefault(flag.name(), given) != given) {
                throw new IllegalArgumentException("flag " + flag.name() + ": " + (given ? "with" : "without")
                        + " a value (expected: " + (given ? "none" : "one") + ")");
            }
        }
    }
}
