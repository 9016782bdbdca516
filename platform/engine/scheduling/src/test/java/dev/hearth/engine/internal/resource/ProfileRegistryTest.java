package dev.hearth.engine.internal.resource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.api.resource.ExecutorResourceRequests;
import dev.hearth.api.resource.ResourceProfile;
import dev.hearth.api.resource.ResourceProfileBuilder;
import dev.hearth.api.resource.TaskResourceRequests;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** The rows of ResourceProfileSuite and ResourceProfileManagerSuite that concern more than the API. */
class ProfileRegistryTest {
    private static final Map<String, String> DYNAMIC = Map.of("hearth.dynamicAllocation.enabled", "true");

    private final List<String> added = new ArrayList<>();

    @Test
    void hasTheDefaultProfileWithTheIdZero() {
        ProfileRegistry registry = registry(Map.of("hearth.executor.cores", "3", "hearth.task.cpus", "2"));
        assertEquals(TaskProfile.DEFAULT, registry.ofStage(List.of()));
        assertEquals(OptionalInt.of(3), registry.executors(ProfileId.DEFAULT).cores());
        assertEquals(2, registry.tasks(ProfileId.DEFAULT).needs().cpus());
        assertEquals(1, registry.tasks().size());
        assertEquals(List.of(), added);
    }

    @Test
    void givesEqualProfilesOneId() {
        ProfileRegistry registry = registry(DYNAMIC);
        TaskProfile first = registry.add(executors("2g", 4));
        assertEquals(1, first.id());
        assertSame(first, registry.add(executors("2048m", 4)));
        assertEquals(2, registry.add(executors("3g", 4)).id());
        assertEquals(List.of("1 executors cores=4 memory=2048", "2 executors cores=4 memory=3072"), added);
    }

    @Test
    void takesFromTheSettingsWhatAProfileLeavesOut() {
        Map<String, String> settings = new HashMap<>(DYNAMIC);
        settings.put("hearth.executor.cores", "8");
        settings.put("hearth.executor.memory", "5g");
        settings.put("hearth.task.cpus", "4");
        settings.put("hearth.executor.resource.gpu.amount", "2");
        settings.put("hearth.task.resource.gpu.amount", "1");
        ProfileRegistry registry = registry(settings);
        TaskProfile tasks = registry.add(new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().resource("fpga", 2, "/find", "xilinx.com"))
                .require(new TaskResourceRequests().resource("fpga", 0.5))
                .build());
        ExecutorProfile executors = registry.executors(new ProfileId(1));
        assertEquals(new ProfileId(1), executors.id());
        assertEquals(OptionalInt.of(8), executors.cores());
        assertEquals(5120, executors.memory().heapMebibytes());
        assertEquals(
                Map.of("fpga", new ResourceRequest("fpga", 2, List.of(), "/find", "xilinx.com")),
                executors.resources(),
                "other resources are those of the profile alone");
        assertEquals(new TaskNeeds(4, Map.of("fpga", 0.5)), tasks.needs());
        Settings seen = registry.settings(new ProfileId(1));
        assertEquals("", seen.find("hearth.executor.resource.gpu.amount").orElse(""));
        assertEquals("2", seen.find("hearth.executor.resource.fpga.amount").orElse(""));
        assertEquals("0.5", seen.find("hearth.task.resource.fpga.amount").orElse(""));
    }

    @Test
    void computesTheOverheadFromTheMemoryOfTheProfile() {
        ProfileRegistry registry = registry(DYNAMIC);
        registry.add(executors("10g", 1));
        assertEquals(
                new ContainerSize(10_240, 0, 1_024),
                registry.executors(new ProfileId(1)).memory());
        registry.add(new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().memory("10g").memoryOverhead("3g"))
                .build());
        assertEquals(
                new ContainerSize(10_240, 0, 3_072),
                registry.executors(new ProfileId(2)).memory());
    }

    /** SPARK-30299 and "isSupported yarn no dynamic allocation": the message says what is needed, and what to set. */
    @Test
    void refusesExecutorsOfAnotherSizeWithoutDynamicAllocation() {
        String refusal = refusal(registry(Map.of()), executors("2g", 1));
        assertTrue(refusal.contains("only supported with dynamic allocation enabled"), refusal);
        assertTrue(refusal.contains("set hearth.dynamicAllocation.enabled=true, or ask for task resources"), refusal);
    }

    @Test
    void refusesExecutorsOfAnotherSizeInTheProcessOfTheDriver() {
        ProfileRegistry local = new ProfileRegistry(
                Settings.empty().with("test", DYNAMIC), TaskNeeds.ONE_CORE, true, (id, profile) -> {});
        String refusal = refusal(local, executors("2g", 1));
        assertTrue(refusal.contains("the only executor is the process of the driver"), refusal);
        assertEquals(1, local.add(tasks(2)).id(), "tasks may have other needs");
    }

    @Test
    void runsTasksOfOtherNeedsOnDefaultExecutorsOnlyWithoutDynamicAllocation() {
        assertEquals(
                0, registry(Map.of("hearth.executor.cores", "4")).add(tasks(2)).executors());
        ProfileRegistry dynamic = registry(Map.of(
                "hearth.executor.cores", "4",
                "hearth.dynamicAllocation.enabled", "true"));
        assertEquals(1, dynamic.add(tasks(2)).executors(), "they have executors of their own, of the default size");
        assertEquals(OptionalInt.of(4), dynamic.executors(new ProfileId(1)).cores());
    }

    @Test
    void refusesProfilesThatCouldRunNoTask() {
        ProfileRegistry registry = registry(DYNAMIC);
        String cores = refusal(
                registry,
                new ResourceProfileBuilder()
                        .require(new ExecutorResourceRequests().cores(1).resource("gpu", 1))
                        .require(new TaskResourceRequests()
                                .cpus(2)
                                .resource("gpu", 2)
                                .resource("fpga", 1))
                        .build());
        assertTrue(cores.contains("tasks need 2 cores, executors have 1"), cores);
        assertTrue(cores.contains("tasks need 2.0 of gpu, executors have 1"), cores);
        assertTrue(cores.contains("tasks need 1.0 of fpga, for which executors have no request"), cores);
        assertEquals(List.of(), added, "nothing is left of it");
    }

    @Test
    void refusesStagesOfSeveralProfilesUnlessTheyAreToBeMerged() {
        ResourceProfile small = executors("1g", 4);
        ResourceProfile large = executors("2g", 2);
        ProfileRegistry strict = registry(DYNAMIC);
        HearthException refusal = assertThrows(HearthException.class, () -> strict.ofStage(List.of(small, large)));
        assertTrue(
                String.valueOf(refusal.getMessage())
                        .contains("set hearth.scheduler.resource.profileMergeConflicts=true"),
                refusal.getMessage());
        assertEquals(1, strict.ofStage(List.of(small, executors("1g", 4))).id(), "equal ones are no conflict");
        Map<String, String> settings = new HashMap<>(DYNAMIC);
        settings.put("hearth.scheduler.resource.profileMergeConflicts", "true");
        ProfileRegistry merging = registry(settings);
        merging.add(small);
        merging.add(large);
        TaskProfile merged = merging.ofStage(List.of(small, large));
        assertEquals(3, merged.id());
        ExecutorProfile executors = merging.executors(new ProfileId(3));
        assertEquals(OptionalInt.of(4), executors.cores());
        assertEquals(2048, executors.memory().heapMebibytes());
        assertSame(merged, merging.ofStage(List.of(large, small)), "the merged profile is known");
        assertSame(merged, merging.add(executors("2g", 4)), "as one that the application asks for");
    }

    @Test
    void boundsTheNumberOfProfiles() {
        ProfileRegistry registry = registry(Map.of());
        for (int cores = 1; cores <= ProfileRegistry.PROFILES_MAX; cores++) {
            registry.add(tasks(cores));
        }
        assertTrue(refusal(registry, tasks(5_000)).contains("at most that many"));
        assertEquals(1, registry.add(tasks(1)).id());
    }

    /** An amount is never rounded up, so that as many tasks share an address as the program has said. */
    @Test
    void keepsFractions() {
        assertEquals("0.333333333", TaskNeeds.text(1.0 / 3));
        assertEquals("0.1", TaskNeeds.text(0.1));
        assertEquals("2", TaskNeeds.text(2.0));
        assertNotEquals("1", TaskNeeds.text(0.9999999999));
    }

    private ProfileRegistry registry(Map<String, String> settings) {
        Settings read = Settings.empty().with("test", settings);
        TaskNeeds needs = TaskNeeds.read(new SettingsReader(read));
        return new ProfileRegistry(read, needs, false, (id, profile) -> added.add(id + " " + profile));
    }

    private static ResourceProfile executors(String memory, int cores) {
        return new ResourceProfileBuilder()
                .require(new ExecutorResourceRequests().cores(cores).memory(memory))
                .build();
    }

    private static ResourceProfile tasks(int cpus) {
        return new ResourceProfileBuilder()
                .require(new TaskResourceRequests().cpus(cpus))
                .build();
    }

    private static String refusal(ProfileRegistry registry, ResourceProfile profile) {
        HearthException refusal = assertThrows(HearthException.class, () -> registry.add(profile));
        assertEquals("BAD_ARGUMENT", refusal.code());
        return String.valueOf(refusal.getMessage());
    }
}
