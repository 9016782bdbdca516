package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Requests that no worker could ever hold, which the master reports at once, and no others. */
class UnplaceableExecutorsTest extends MasterFixture {
    private static final OptionalInt NONE = OptionalInt.empty();

    @Test
    void namesTheRequestAndTheLargestWorkerUntilALargerOneRegisters() {
        register("small", 1, 2, 1_024);
        register("large", 2, 4, 2_048);
        ApplicationId application = application(8, 512, NONE, Map.of());
        want(application, 3);
        settle();
        settle();
        String reason = "no worker can hold an executor with 8 cores and 512 MiB of memory (expected: a worker of that"
                + " size; the largest of 2 workers, large, has 4 cores and 2048 MiB of memory in all); lower"
                + " hearth.executor.cores, or start a larger worker";
        assertEquals(List.of(reason), reasons());
        assertEquals(List.of("application " + application + " (pi) gets no executors: " + reason), warnings());
        want(application, 0);
        settle();
        assertEquals(List.of(reason), reasons(), "unchanged while no executor is wanted");
        want(application, 1);
        register("huge", 3, 8, 512);
        settle();
        assertEquals(List.of(reason, ""), reasons());
        assertEquals(1, messages(ExecutorGranted.class).size());
    }

    @Test
    void reportsOnceInTheLogButEachTimeToTheApplication() {
        register("large", 1, 8, 8_192);
        register("small", 2, 1, 256);
        ApplicationId application = application(4, 512, NONE, Map.of());
        want(application, 1);
        settle();
        assertEquals(List.of(), reasons());
        for (int round = 3; round < 5; round++) {
            master.peerLost(round == 3 ? 1 : 3, "gone", now);
            settle();
            assertEquals(round == 3 ? 1 : 3, reasons().size(), "the lost worker was the only one of that size");
            register("large", 3, 8, 8_192);
            settle();
            assertEquals(round == 3 ? 2 : 4, reasons().size());
        }
        assertEquals(1, warnings().size(), () -> warnings().toString());
    }

    @Test
    void saysNothingWhileWorkersAreBusyExcludedOrNotThereYet() {
        ApplicationId early = application(1, 512, NONE, Map.of());
        want(early, 1);
        settle();
        register("only", 1, 1, 512);
        settle();
        assertEquals(1, messages(ExecutorGranted.class).size());
        ApplicationId second = application(1, 512, NONE, Map.of());
        want(second, 1);
        settle();
        master.release(new ReleaseExecutors(early, List.of(new ExecutorId("0")), "done"), APPLICATION);
        master.end(new EndApplication(early, "FINISHED"), APPLICATION, now);
        master.want(new WantExecutors(second, 1, List.of("10.0.0.1"), Map.of()), APPLICATION);
        settle();
        assertEquals(List.of(), reasons());
        assertEquals(List.of(), warnings());
    }

    @Test
    void countsAddressesOfResourcesAndMemory() {
        master.registerWorker(
                new RegisterWorker(
                        "gpus",
                        "10.0.0.1",
                        7078,
                        8,
                        8_192,
                        "",
                        List.of(new ResourceInformation("gpu", List.of("0", "1")))),
                1,
                0);
        register("big", 2, 64, 65_536);
        want(application(2, 512, NONE, Map.of("gpu", 2)), 1);
        settle();
        assertEquals(List.of(), reasons());
        want(application(1, 512, NONE, Map.of("gpu", 2)), 1);
        settle();
        assertEquals(List.of(), reasons(), "both are in use, but the worker has two");
        want(application(1, 512, NONE, Map.of("gpu", 4)), 1);
        settle();
        assertTrue(
                reasons()
                        .get(0)
                        .startsWith("no worker can hold an executor with 1 core, 512 MiB of memory and 4 of gpu"
                                + " (expected: a worker of that size; the largest of 2 workers, big, has 64 cores, 65536 MiB of"
                                + " memory and 0 of gpu in all); lower hearth.executor.resource.gpu.amount, or"),
                () -> reasons().get(0));
        want(application(1, 100_000, NONE, Map.of()), 1);
        settle();
        assertTrue(
                reasons().get(1).contains("; lower hearth.executor.memory, or start"),
                () -> reasons().get(1));
    }

    @Test
    void comparesTheCoresOfAnExecutorWithTheMostOfTheApplication() {
        want(application(4, 512, OptionalInt.of(2), Map.of()), 1);
        settle();
        assertEquals(
                List.of("executors have 4 cores each (expected: at most the 2 that hearth.cores.max allows in all);"
                        + " lower hearth.executor.cores or raise hearth.cores.max"),
                reasons());
    }

    private ApplicationId application(int cores, int memory, OptionalInt coresMax, Map<String, Integer> resources) {
        RegisterApplication request = new RegisterApplication(
                "pi",
                "application",
                "hearth://driver-1@h:1",
                coresMax,
                OptionalInt.of(cores),
                memory,
                Map.of(),
                resources);
        return master.registerApplication(request, APPLICATION, 0).application();
    }

    private void want(ApplicationId application, int executors) {
        master.want(new WantExecutors(application, executors, List.of(), Map.of()), APPLICATION);
    }

    private List<String> warnings() {
        return notes.stream()
                .filter(note -> note.startsWith("WARN ") && note.contains(" gets no executors: "))
                .map(note -> note.substring("WARN ".length()))
                .toList();
    }

    private List<String> reasons() {
        return messages(ExecutorsUnplaceable.class).stream()
                .map(ExecutorsUnplaceable::reason)
                .toList();
    }
}
