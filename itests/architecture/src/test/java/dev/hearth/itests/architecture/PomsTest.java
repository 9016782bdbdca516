package dev.hearth.itests.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.architecture.Poms.Declared;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Checks the poms: the test kit is used in tests alone, and docs/dependencies.md gives a reason for every external
 * library.
 */
class PomsTest {
    private static final String PAGE = "docs/dependencies.md";

    @Test
    void everyForeignDependencyIsExplained() {
        List<Declared> foreign = foreign(Poms.ofTheTree());
        assertFalse(foreign.isEmpty(), "no dependency found in the poms of the tree");
        String page = Document.read(PAGE);
        List<String> problems = foreign.stream()
                .filter(dependency -> !Document.mentions(page, dependency.coordinates()))
                .map(dependency -> dependency.coordinates() + ": declared in " + dependency.pom() + " and not in "
                        + PAGE + " (expected: a line there with its coordinates and why it is needed)")
                .distinct()
                .toList();
        Findings.expectNone(problems);
    }

    @Test
    void theTestKitIsDeclaredForTestsAlone() {
        List<String> problems = Poms.ofTheTree().dependencies().stream()
                .filter(dependency -> dependency.artifact().equals("hearth-testkit") && !dependency.test())
                .map(dependency ->
                        dependency.pom() + ": hearth-testkit in scope " + dependency.scope() + " (expected: test)")
                .toList();
        Findings.expectNone(problems);
    }

    @Test
    void readsTheScopeFromWhereItStands() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("pom.xml", """
                <project><dependencyManagement><dependencies>
                  <dependency><groupId>a</groupId><artifactId>managed</artifactId><scope>test</scope></dependency>
                  <dependency><groupId>a</groupId><artifactId>unused</artifactId></dependency>
                </dependencies></dependencyManagement></project>
                """);
        texts.put("module/pom.xml", """
                <project>
                  <dependencies>
                    <dependency><groupId>a</groupId><artifactId>managed</artifactId></dependency>
                    <dependency><groupId>a</groupId><artifactId>plain</artifactId></dependency>
                    <dependency><groupId>dev.hearth</groupId><artifactId>hearth-spi</artifactId></dependency>
                  </dependencies>
                  <profiles><profile><dependencies>
                    <dependency><groupId>b</groupId><artifactId>late</artifactId><scope>runtime</scope></dependency>
                  </dependencies></profile></profiles>
                </project>
                """);
        assertEquals(
                List.of("a:plain", "b:late"),
                foreign(Poms.of(texts)).stream().map(Declared::coordinates).toList());
    }

    @Test
    void takesAPartOfANameForNoMention() {
        assertFalse(Document.mentions("org.slf4j:slf4j-api-extra", "org.slf4j:slf4j-api"));
        assertFalse(Document.mentions("com.org.slf4j:slf4j-api", "org.slf4j:slf4j-api"));
        assertTrue(Document.mentions("needs `org.slf4j:slf4j-api`.", "org.slf4j:slf4j-api"));
    }

    private static List<Declared> foreign(Poms poms) {
        return poms.dependencies().stream()
                .filter(dependency -> !dependency.ours() && !dependency.test())
                .toList();
    }
}
