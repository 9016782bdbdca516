package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.inventory.JarNames;
import dev.hearth.spi.error.Failures;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Starts the bundles of bundles/ that a bundle of deploy/ needs, by the names of their jars. Any thread may call. */
record NeededBundles(Kernel kernel, Path bundles) implements Function<List<String>, Optional<String>> {
    /** Starts the bundles named in {@code needs}. Returns the problem if one is missing or does not start. */
    @Override
    public Optional<String> apply(List<String> needs) {
        List<Path> jars = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (String need : needs) {
            TreeSet<Path> found = new TreeSet<>();
            try (DirectoryStream<Path> files = Files.newDirectoryStream(
                    bundles, file -> JarNames.matches(String.valueOf(file.getFileName()), need))) {
                files.forEach(found::add);
            } catch (IOException e) {
                problems.add("bundles: cannot list " + bundles + ": " + e + " (expected: a directory of bundles)");
            }
            if (found.size() == 1) {
                jars.add(found.first());
            } else {
                problems.add("needs " + need + ", " + (found.isEmpty() ? "which is missing" : "found " + found)
                        + " (expected: one " + need + "-<version>.jar in bundles/ or deploy/)");
            }
        }
        if (problems.isEmpty()) {
            kernel.start(jars)
                    .forEach(failure -> problems.add(
                            Failures.expecting("needs " + failure.bundle() + ": " + failure.reason(), "it starts")));
        }
        return problems.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", problems));
    }
}
