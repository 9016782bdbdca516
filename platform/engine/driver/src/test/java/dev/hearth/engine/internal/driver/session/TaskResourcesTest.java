package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskContext;
import dev.hearth.spi.error.ErrorCode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Cores and resources of tasks and of the driver, in an application with an executor in its own process. */
@Timeout(60)
class TaskResourcesTest {
    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @Test
    void givesTasksTheirCoresAndAddresses() {
        HearthContext context = local.open(Map.of(
                "spark.task.cpus", "2",
                "spark.task.resource.gpu.amount", "1",
                "spark.executor.resource.gpu.amount", "2",
                "spark.executor.resource.gpu.addresses", "7,8",
                "spark.driver.resource.fpga.amount", "1",
                "spark.driver.resource.fpga.addresses", "f0"));
        List<String> seen = context.parallelize(List.of(1, 2, 3), 3)
                .map(number -> TaskContext.current().cpus() + " cores, "
                        + TaskContext.current().resources().get("gpu").addresses())
                .collect();
        assertEquals(List.of("2 cores, [7]", "2 cores, [7]", "2 cores, [7]"), seen, "one task at a time");
        assertEquals(Map.of("fpga", new ResourceInformation("fpga", List.of("f0"))), context.resources());
    }

    @Test
    void givesTasksNothingUnlessAsked() {
        HearthContext context = local.open();
        assertEquals(
                List.of("1 {}"),
                context.parallelize(List.of(1), 1)
                        .map(number -> TaskContext.current().cpus() + " "
                                + TaskContext.current().resources())
                        .collect());
        assertEquals(Map.of(), context.resources());
    }

    @Test
    void refusesTasksThatCanNeverRun() {
        assertTrue(refusal(ErrorCode.BAD_SETTING, Map.of("hearth.task.cpus", "3"))
                .startsWith("hearth.task.cpus: 3 (expected: at most 2, the cores of the master)"));
        refusal(ErrorCode.BAD_SETTING, Map.of("hearth.task.resource.gpu.amount", "1"));
        refusal(ErrorCode.BAD_SETTING, Map.of("hearth.resources.discoveryPlugin", "example.Plugin"));
        assertTrue(refusal(ErrorCode.RESOURCE_MISSING, Map.of("hearth.driver.resource.gpu.amount", "1"))
                .startsWith("driver: resource gpu: no addresses"));
    }

    @Test
    void failsJobsWhenTheExecutorHasTooFewAddresses() {
        HearthContext context = local.open(Map.of(
                "hearth.executor.resource.gpu.amount",
                "2",
                "hearth.executor.resource.gpu.discoveryScript",
                "/no/script"));
        HearthException failure = assertThrows(
                HearthException.class, () -> context.parallelize(List.of(1)).count());
        assertEquals(ErrorCode.RESOURCE_MISSING.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("discovery script /no/script"), failure.getMessage());
    }

    private String refusal(ErrorCode code, Map<String, String> settings) {
        HearthException failure = assertThrows(HearthException.class, () -> local.open(settings));
        assertEquals(code.name(), failure.code());
        return String.valueOf(failure.getMessage());
    }
}
