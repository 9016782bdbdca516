package dev.hearth.itests.architecture;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Checks that the simple name of a top-level type is unique in all production code, so that it is easy to search for.
 */
class TypeNamesTest {
    private static final List<String> DESCRIPTORS = List.of("package-info.java", "module-info.java");

    @Test
    void noTwoTypesHaveOneSimpleName() {
        Map<String, List<String>> places = new TreeMap<>();
        for (Path file : Repository.javaFiles()) {
            String name = file.getFileName().toString();
            if (Repository.name(file).contains("/src/main/java/") && !DESCRIPTORS.contains(name)) {
                places.computeIfAbsent(name, key -> new ArrayList<>()).add(Repository.name(file));
            }
        }
        Findings.expectNone(places.entrySet().stream()
                .filter(entry -> entry.getValue().size() > 1)
                .map(entry -> entry.getKey() + ": " + entry.getValue() + " (expected: one file of this name)")
                .toList());
    }
}
