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

/** Holds the built classes of every room to the rules. A failure names the room, the rule in words, and each place. */
class DirectionTest {
    /** The jar for plain class paths has copies of other rooms, which name the relocated library: they are held to the rules at home. */
    private static final ImportOption AT_HOME = place -> !place.contains("/hearth-embedded-")
            || (place.contains("/dev/hearth/embedded/") && !place.contains("/internal/aircompressor/"));

    private static final JavaClasses BUILT = new ClassFileImporter()
            .withImportOption(AT_HOME)
            .importPackages(Arrays.stream(Room.values()).map(Room::root).toArray(String[]::new));

    @TestFactory
    Stream<DynamicTest> everyRoomKeepsTheRules() {
        return RoomRules.all().stream().map(rule -> DynamicTest.dynamicTest(rule.getDescription(), () -> check(rule)));
    }

    @Test
    void everyRoomWithSourcesIsAmongTheClassesThatAreChecked() {
        List<String> missing = Arrays.stream(Room.values())
                .filter(room -> Repository.hasMainSources(room.directory()))
                .filter(room -> BUILT.stream().noneMatch(type -> isIn(room, type.getPackageName())))
                .map(room -> room + ": no class in " + room.root()
                        + " (expected: some); add the room to the pom, or mend its package in Room")
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

    private static boolean isIn(Room room, String name) {
        return name.equals(room.root()) || name.startsWith(room.root() + ".");
    }

    private static void check(ArchRule rule) {
        EvaluationResult result = rule.evaluate(BUILT);
        if (result.hasViolation()) {
            throw new AssertionError(result.getFailureReport().toString());
        }
    }
}
