package dev.hearth.engine.internal.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Needs of tasks, from settings, and the slots that executors have for them. */
class TaskNeedsTest {
    @Test
    void needsOneCoreByDefault() {
        assertEquals(TaskNeeds.ONE_CORE, read(Map.of()));
        assertEquals(8, TaskNeeds.ONE_CORE.slots(8, Map.of()));
    }

    @ParameterizedTest
    @CsvSource({
        "8, 1, 1, 2, 2", // cores, cpus, amount, addresses, slots
        "8, 1, 0.5, 2, 4",
        "8, 1, 0.1, 2, 8",
        "80, 1, 0.1, 2, 20", // ten tasks share an address
        "8, 1, 0.6, 2, 2",
        "8, 1, 2, 5, 2",
        "8, 3, 0.25, 2, 2",
        "8, 9, 1, 2, 0",
        "8, 1, 3, 2, 0"
    })
    void hasAsManySlotsAsTheScarcestResourceAllows(int cores, int cpus, double amount, int addresses, int slots) {
        assertEquals(slots, new TaskNeeds(cpus, Map.of("gpu", amount)).slots(cores, Map.of("gpu", addresses)));
    }

    @Test
    void refusesNeedsThatNoExecutorMeets() {
        String message = refusal(Map.of(
                "hearth.task.cpus", "4",
                "hearth.executor.cores", "2",
                "hearth.task.resource.gpu.amount", "2",
                "hearth.executor.resource.gpu.amount", "1",
                "spark.task.resource.fpga.amount", "0.5"));
        assertTrue(message.startsWith("3 invalid settings:"), message);
        assertTrue(message.contains("hearth.task.cpus: 4 (expected: at most 2, the cores of an executor)"), message);
        assertTrue(
                message.contains("hearth.task.resource.gpu.amount: 2 (expected: at most 1, for"
                        + " hearth.executor.resource.gpu.amount is 1)"),
                message);
        assertTrue(
                message.contains("task.resource.fpga.amount: 0.5 (expected: at most 0, for"
                        + " hearth.executor.resource.fpga.amount is not set)"),
                message);
    }

    @ParameterizedTest
    @CsvSource({"gpu.amount, 1.5", "gpu.amount, x", "gpu.amount, -1", "gpu, 1", "a b.amount, 1"})
    void refusesAmountsThatAreNeitherWholeNorAShare(String member, String value) {
        String message = refusal(Map.of("hearth.task.resource." + member, value));
        assertTrue(message.contains("NAME.amount, with a whole number or a fraction up to 1"), message);
    }

    @Test
    void ignoresCoresOfProfilesForExecutorsThatALocalMasterFixes() {
        Settings settings =
                Settings.empty().with("test", Map.of("hearth.task.cpus", "4", "hearth.executor.cores", "2"));
        SettingsReader in = new SettingsReader(settings);
        assertEquals(4, TaskNeeds.read(in, ExecutorProfile.of(settings), true).cpus());
        in.finish();
    }

    private static TaskNeeds read(Map<String, String> values) {
        Settings settings = Settings.empty().with("test", values);
        SettingsReader in = new SettingsReader(settings);
        TaskNeeds needs = TaskNeeds.read(in, ExecutorProfile.of(settings), false);
        in.finish();
        return needs;
    }

    private static String refusal(Map<String, String> values) {
        return String.valueOf(
                assertThrows(HearthException.class, () -> read(values)).getMessage());
    }
}
