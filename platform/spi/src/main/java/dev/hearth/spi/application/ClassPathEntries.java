package dev.hearth.spi.application;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Entries of a class path in a setting: jars, directories, and {@code dir/*}, which stands for the jars in it. */
public final class ClassPathEntries {
    private static final String ALL = "*";
    /**
     * One entry. A colon separates entries, except in an address such as {@code https://host:443/a.jar} and after the
     * scheme of a file on the machine that reads the setting.
     */
    private static final Pattern ENTRY = Pattern.compile(
            "\\s*(?:local|file|content):(?=/)[^:]*" + "|\\s*[a-zA-Z][a-zA-Z0-9+.-]*://[^/:]*(?::\\d+)?[^:]*|[^:]+");

    private static final Pattern LOCAL_SCHEME = Pattern.compile("(?:local|file):(?=/)");
    private static final Pattern ADDRESS =
            Pattern.compile("(?:[a-zA-Z][a-zA-Z0-9+.-]*://|content:/).*", Pattern.DOTALL);

    private ClassPathEntries() {}

    /** Splits a class path at its separators; entries such as {@code local:/opt/a.jar} lose their scheme. */
    public static List<String> split(String text) {
        return tokens(text).stream().map(ClassPathEntries::withoutScheme).toList();
    }

    /** Splits a class path at its separators. */
    public static List<String> tokens(String text) {
        return ENTRY.matcher(text)
                .results()
                .map(entry -> entry.group().strip())
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /** The path of an entry with the scheme {@code local:} or {@code file:}; any other entry unchanged. */
    public static String withoutScheme(String entry) {
        Matcher scheme = LOCAL_SCHEME.matcher(entry);
        return scheme.lookingAt() ? entry.substring(scheme.end()).replaceFirst("^/{2,}", "/") : entry;
    }

    /** Whether an entry is the address of a file in a store, such as {@code hdfs://host/a.jar}. */
    public static boolean isAddress(String entry) {
        return ADDRESS.matcher(entry).matches() && !LOCAL_SCHEME.matcher(entry).lookingAt();
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
