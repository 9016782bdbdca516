package dev.hearth.spi.application;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Entries of a class path in a setting: jars, directories, and {@code dir/*}, which stands for the jars in it. */
public final class ClassPathEntries {
    private static final String ALL = "*";
    /** Scheme of a file on the machine that reads the setting. Its colon would separate entries. */
    private static final Pattern SCHEME = Pattern.compile("(^|" + File.pathSeparator + ")\\s*(?:local|file):(?=/)");

    private ClassPathEntries() {}

    /** Splits a class path at its separators; entries such as {@code local:/opt/a.jar} lose their scheme. */
    public static List<String> split(String text) {
        String plain = SCHEME.matcher(text).replaceAll("$1");
        return Stream.of(plain.split(Pattern.quote(File.pathSeparator), -1))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /** Whether an entry stands for the jars in a directory. */
    public static boolean isAllOf(String entry) {
        return entry.equals(ALL) || entry.endsWith("/" + ALL);
    }

    /**
     * Existing files and directories of a class path on this machine, in its order. A missing entry is left out, as Java
     * does with its own class path; {@code warnings} receives a line about it.
     */
    public static List<Path> existing(String text, Consumer<String> warnings) {
        List<Path> found = new ArrayList<>();
        for (String entry : split(text)) {
            try {
                if (isAllOf(entry)) {
                    found.addAll(jarsIn(Path.of(entry.substring(0, entry.length() - ALL.length()))));
                } else if (Files.exists(Path.of(entry))) {
                    found.add(Path.of(entry));
                } else {
                    warnings.accept(
                            "class path entry " + entry + ": missing (expected: a jar or directory on this machine)");
                }
            } catch (IOException | InvalidPathException unreadable) {
                warnings.accept("class path entry " + entry + ": " + unreadable
                        + " (expected: a jar or directory on this machine)");
            }
        }
        return found;
    }

    /** Jars in a directory, in the order of their names. */
    public static List<Path> jarsIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }
}
