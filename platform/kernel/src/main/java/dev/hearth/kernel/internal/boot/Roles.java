package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.SortedSet;
import java.util.TreeSet;

/** The role files of an installation: {@code roles/<name>.properties} with the keys {@code bundles} and {@code jvm}. */
public record Roles(Path directory) {
    private static final String SUFFIX = ".properties";

    /** Reads the file of a role; a name that has none is refused with the names that have one. */
    public Role read(String name) {
        SortedSet<String> names = names();
        if (!names.contains(name)) {
            throw ErrorCode.BAD_ARGUMENT.failure("role: '" + name + "' (expected: one of " + names + ")");
        }
        Path file = directory.resolve(name + SUFFIX);
        Properties properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw ErrorCode.START_FAILED.failure("role file " + file + ": " + e + " (expected: a properties file)", e);
        }
        List<String> bundles = words(properties.getProperty("bundles", ""));
        if (bundles.isEmpty()) {
            throw ErrorCode.START_FAILED.failure("role file " + file + ": no bundles (expected: bundles=<names>)");
        }
        return new Role(name, bundles, words(properties.getProperty("jvm", "")));
    }

    private SortedSet<String> names() {
        SortedSet<String> names = new TreeSet<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                names.add(name.substring(0, name.length() - SUFFIX.length()));
            }
        } catch (IOException e) {
            throw ErrorCode.START_FAILED.failure(
                    "roles: cannot list " + directory + ": " + e + " (expected: a directory of role files)", e);
        }
        return names;
    }

    private static List<String> words(String text) {
        String trimmed = text.strip();
        return trimmed.isEmpty() ? List.of() : List.of(trimmed.split("\\s+"));
    }
}
