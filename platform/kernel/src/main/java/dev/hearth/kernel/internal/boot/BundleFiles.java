package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Finds the jars of a role's bundles, which role files name without versions. */
final class BundleFiles {
    private static final String SUFFIX = ".jar";

    private BundleFiles() {}

    /** The jars in the order of the role file; all that are missing or ambiguous are reported at once, one line each. */
    static List<Path> of(Role role, Path directory) {
        SortedMap<String, Path> jars = list(directory);
        List<Path> found = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String bundle : role.bundles()) {
            List<String> names =
                    jars.keySet().stream().filter(jar -> matches(jar, bundle)).toList();
            if (names.size() == 1) {
                found.add(jars.get(names.get(0)));
            } else {
                problems.add("bundle " + bundle + " of role " + role.name() + ": "
                        + (names.isEmpty() ? "missing" : names.toString()) + " (expected: one " + bundle
                        + "-<version>.jar in " + directory + ")");
            }
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(String.join("\n  ", problems));
        }
        return found;
    }

    private static boolean matches(String jar, String bundle) {
        int version = bundle.length() + 1;
        return jar.startsWith(bundle + "-") && jar.length() > version && Character.isDigit(jar.charAt(version));
    }

    private static SortedMap<String, Path> list(Path directory) {
        SortedMap<String, Path> jars = new TreeMap<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + SUFFIX)) {
            files.forEach(file -> jars.put(file.getFileName().toString(), file));
        } catch (IOException e) {
            throw ErrorCode.START_FAILED.failure(
                    "bundles: cannot list " + directory + ": " + e + " (expected: a directory of bundles)", e);
        }
        return jars;
    }
}
