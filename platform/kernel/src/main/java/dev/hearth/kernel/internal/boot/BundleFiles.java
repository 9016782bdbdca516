package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Jars of a role's bundles. Role files name bundles without versions, so the jars are looked up. {@code jars} contains,
 * in the order of the role file, the jars of the bundles that start with the process. {@code reserved} contains the
 * jars of each on-demand bundle group, by group name.
 */
record BundleFiles(List<Path> jars, Map<String, List<Path>> reserved) {
    private static final String SUFFIX = ".jar";

    /**
     * Finds, in {@code directory}, the jars of the bundles that the role file of {@code role} names. Fails if the
     * directory has no jar or several jars of a bundle, with one line for each such bundle.
     */
    static BundleFiles of(Role role, Path directory) {
        SortedMap<String, Path> present = list(directory);
        List<String> problems = new ArrayList<>();
        Map<String, List<Path>> reserved = new LinkedHashMap<>();
        List<Path> jars = find(role, role.bundles(), present, directory, problems);
        for (OnDemandBundleGroup reserve : role.reserves()) {
            reserved.put(reserve.name(), find(role, reserve.bundles(), present, directory, problems));
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(String.join("\n  ", problems));
        }
        return new BundleFiles(jars, reserved);
    }

    private static List<Path> find(
            Role role, List<String> bundles, SortedMap<String, Path> present, Path directory, List<String> problems) {
        List<Path> found = new ArrayList<>();
        for (String bundle : bundles) {
            List<String> names = present.keySet().stream()
                    .filter(jar -> matches(jar, bundle))
                    .toList();
            if (names.size() == 1) {
                found.add(present.get(names.get(0)));
            } else {
                problems.add("bundle " + bundle + " of role " + role.name() + ": "
                        + (names.isEmpty() ? "missing" : names.toString()) + " (expected: one " + bundle
                        + "-<version>.jar in " + directory + ")");
            }
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
