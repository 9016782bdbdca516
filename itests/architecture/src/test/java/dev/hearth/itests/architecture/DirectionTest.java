package dev.hearth.itests.architecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.EvaluationResult;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Checks the built classes of every module against the rules. A failure names the module, the rule in words, and each
 * place.
 */
class DirectionTest {
    /**
     * The jar for plain class paths has copies of other modules, which name the relocated library: the rules check the
     * originals.
     */
    private static final ImportOption AT_HOME = place -> !place.contains("/hearth-embedded-")
            || (place.contains("/dev/hearth/embedded/") && !place.contains("/internal/aircompressor/"));

    private static final JavaClasses BUILT = new ClassFileImporter()
            .withImportOption(AT_HOME)
            .importPackages(Arrays.stream(ProjectModule.values())
                    .map(ProjectModule::root)
                    .toArray(String[]::new));

    @TestFactory
    Stream<DynamicTest> everyModuleKeepsTheRules() {
        return ModuleRules.all().stream()
                .map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> check(rule)));
    }

    @Test
    void everyModuleWithSourcesIsAmongTheClassesThatAreChecked() {
        List<String> missing = Arrays.stream(ProjectModule.values())
                .filter(module -> Repository.modulesWithMainSources().stream()
                        .anyMatch(name -> (name + "/").startsWith(module.directory() + "/")))
                .filter(module -> BUILT.stream().noneMatch(type -> isIn(module, type.getPackageName())))
                .map(module -> module + ": no class in " + module.root()
                        + " (expected: some); add the module to the pom, or mend its package in ProjectModule")
                .toList();
        Findings.expectNone(missing);
    }

    @Test
    void everyStateMachineOnTheListIsThere() {
        List<String> missing = StateMachines.NAMES.stream()
                .filter(name -> !BUILT.contain(name))
                .map(name -> "state machine " + name + ": no such class (expected: one); was it renamed?")
                .toList();
        Findings.expectNone(missing);
    }

    private static boolean isIn(ProjectModule module, String name) {
        return name.equals(module.root()) || name.startsWith(module.root() + ".");
    }

    private static void check(ArchRule rule) {
        EvaluationResult result = rule.evaluate(BUILT);
        if (result.hasViolation()) {
            throw new AssertionError(result.getFailureReport().toString());
        }
    }
}
