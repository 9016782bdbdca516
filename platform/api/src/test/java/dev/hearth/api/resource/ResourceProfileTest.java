package dev.hearth.api.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceProfileTest {
    /** As in ResourceProfileSuite: "Create ResourceProfile". */
    @Test
    void keepsAllRequests() {
        ResourceProfile profile = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests()
                        .cores(4)
                        .memory("4g")
                        .memoryOverhead("2g")
                        .resource("gpu", 2, "/find", "nvidia.com"))
                .require(new TaskResourceRequests().cpus(1).resource("gpu", 0.25))
                .build();
        assertEquals(
                Map.of(
                        "cores", new ExecutorResourceRequest("cores", 4),
                        "memory", new ExecutorResourceRequest("memory", 4096),
                        "memoryOverhead", new ExecutorResourceRequest("memoryOverhead", 2048),
                        "gpu", new ExecutorResourceRequest("gpu", 2, "/find", "nvidia.com")),
                profile.executorResources());
        assertEquals(
                Map.of("cpus", new TaskResourceRequest("cpus", 1), "gpu", new TaskResourceRequest("gpu", 0.25)),
                profile.taskResources());
        assertEquals(
                "executors cores=4 gpu=2 memory=4096 memoryOverhead=2048; tasks cpus=1 gpu=0.25", profile.toString());
        assertFalse(profile.isTaskOnly());
    }

    /** As in ResourceProfileSuite: "Test ExecutorResourceRequests memory helpers". */
    @ParameterizedTest
    @CsvSource({"4g, 4096", "4G, 4096", "2048, 2048", "512m, 512", "1t, 1048576", "2097152k, 2048", "1gb, 1024"})
    void readsSizesAsSparkDoes(String text, long mebibytes) {
        assertEquals(
                mebibytes,
                new ExecutorResourceRequests()
                        .memory(text)
                        .requests()
                        .get("memory")
                        .amount());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "g", "1.5g", "-1g", "4x", "0"})
    void refusesOtherSizes(String text) {
        HearthException refusal =
                assertThrows(HearthException.class, () -> new ExecutorResourceRequests().memory(text));
        assertTrue(String.valueOf(refusal.getMessage()).startsWith("resource memory of executors: "));
    }

    /** As in ResourceProfileSuite: "Internal pyspark memory confs", and the amounts that tasks may have. */
    @Test
    void refusesAmountsAndNamesThatCanHaveNoEffect() {
        assertRefused(() -> new TaskResourceRequests().resource("gpu", 1.5), "either at most 1.0, or a whole number");
        assertRefused(() -> new TaskResourceRequests().resource("gpu", 0), "amount 0.0");
        assertRefused(() -> new TaskResourceRequests().cpus(0), "a whole number of cores");
        assertRefused(() -> new TaskResourceRequests().resource("cpus", 1), "other than cores, cpus");
        assertRefused(() -> new TaskResourceRequests().resource("memory", 1), "other than cores, cpus");
        assertRefused(() -> new ExecutorResourceRequests().cores(0), "resource cores of executors: amount 0");
        assertRefused(() -> new ExecutorResourceRequests().resource("pyspark.memory", 1), "no memory of this kind");
        assertRefused(() -> new ExecutorResourceRequests().resource("offHeap", 1), "no memory of this kind");
        assertRefused(() -> new ExecutorResourceRequests().resource("", 1), "a name such as gpu");
        assertRefused(() -> new ExecutorResourceRequest("cores", 1, "/find", ""), "has no addresses");
    }

    @Test
    void lastOfSeveralRequestsForAResourceCounts() {
        ResourceProfileBuilder builder = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(2).memory("1g"))
                .require(new ExecutorResourceRequests().cores(4))
                .require(new TaskResourceRequests().cpus(2));
        assertEquals(4, builder.executorResources().get("cores").amount());
        assertEquals(1024, builder.executorResources().get("memory").amount());
        assertEquals(2, builder.taskResources().get("cpus").amount());
        assertTrue(builder.clearExecutorResourceRequests().build().isTaskOnly());
        assertEquals(Map.of(), builder.clearTaskResourceRequests().build().taskResources());
        assertEquals("no requests", builder.build().toString());
    }

    @Test
    void isAValue() {
        ResourceProfile one = new ResourceProfile(Map.of(), Map.of("cpus", new TaskResourceRequest("cpus", 2)));
        ResourceProfile same = new ResourceProfileBuilder()
                .require(new TaskResourceRequests().cpus(2))
                .build();
        assertEquals(one, same);
        assertEquals(one.hashCode(), same.hashCode());
    }

    /** As in DAGSchedulerSuite: "test merge 2 resource profiles multiple configs". */
    @Test
    void mergesToTheLargerAmountOfEachResource() {
        ResourceProfile one = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(4).memory("1g").resource("gpu", 1, "/one"))
                .require(new TaskResourceRequests().cpus(1).resource("gpu", 1))
                .build();
        ResourceProfile other = new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(2).memory("2g").resource("gpu", 2, "/two"))
                .require(new TaskResourceRequests().cpus(2))
                .build();
        ResourceProfile merged = one.merged(other);
        assertEquals(other.merged(one), merged);
        assertEquals("executors cores=4 gpu=2 memory=2048; tasks cpus=2 gpu=1", merged.toString());
        assertEquals("/two", merged.executorResources().get("gpu").discoveryScript());
    }

    private static void assertRefused(Runnable request, String expected) {
        HearthException refusal = assertThrows(HearthException.class, request::run);
        assertEquals("BAD_ARGUMENT", refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).contains(expected), refusal.getMessage());
    }
}
