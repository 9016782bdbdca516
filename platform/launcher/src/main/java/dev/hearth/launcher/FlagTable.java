package dev.hearth.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The flags of an installation, from its file {@code lib/flags.tsv}: which of them take a value. Immutable. */
final class FlagTable {
    private static final int FLAG = 1;
    private static final int SHORT = 2;
    private static final int WORD = 3; // of the value
    private static final String NONE = "-";

    private final Map<String, Boolean> takesValue;

    private FlagTable(Map<String, Boolean> takesValue) {
        this.takesValue = takesValue;
    }

    /** Reads the table of the installation in {@code home}. Fails if that directory contains no installation. */
    static FlagTable read(Path home) throws IOException {
        Map<String, Boolean> flags = new HashMap<>();
        try {
            for (String line : Files.readAllLines(home.resolve("lib").resolve("flags.tsv"))) {
                String[] fields = line.split("\t", -1);
                if (!line.startsWith("#") && fields.length > WORD) {
                    boolean value = !fields[WORD].equals(NONE);
                    // a flag of several managers may be a switch of one of them
                    flags.merge(fields[FLAG], value, Boolean::logicalOr);
                    flags.merge(fields[SHORT], value, Boolean::logicalOr);
                }
            }
        } catch (NoSuchFileException missing) {
            throw new IOException(
                    "installation " + home
                            + ": no file lib/flags.tsv (expected: the directory of an installation of Hearth)",
                    missing);
        }
        flags.remove(NONE);
        return new FlagTable(flags);
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
