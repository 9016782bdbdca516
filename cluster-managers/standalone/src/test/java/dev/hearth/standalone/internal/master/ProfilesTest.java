package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ProfileDemand;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Executors of several profiles of one application; the default one has 1 core and 512 MiB. */
class ProfilesTest extends MasterFixture {
    /** The case of Spark's ResourceProfilesSuite: profiles 1 and 2 fit on no worker. */
    @Test
    void placesProfilesInOrderAndPassesOverThoseThatFitNowhere() {
        List<Integer> placed = placed(OptionalInt.empty());
        assertEquals(List.of(0, 3, 4, 4), placed);
    }

    @Test
    void boundsTheCoresOfAllProfilesTogether() {
        assertEquals(List.of(0, 3, 4), placed(OptionalInt.of(3)));
    }

    private List<Integer> placed(OptionalInt coresMax) {
        for (int worker = 1; worker <= 3; worker++) {
            register("worker-" + worker, worker, 2, 512);
        }
        ApplicationId id = application(coresMax, OptionalInt.of(1));
        master.want(
                new WantExecutors(
                        id,
                        1,
                        List.of(),
                        Map.of(),
                        List.of(
                                demand(4, 1, 256, 2),
                                demand(3, 1, 256, 1),
                                demand(1, 3, 256, 1),
                                demand(2, 1, 1_024, 1))),
                APPLICATION);
        settle();
        return messages(ExecutorGranted.class).stream()
                .map(ExecutorGranted::profile)
                .toList();
    }

    @Test
    void givesEachProfileWhatItNeeds() {
        master.registerWorker(
                new RegisterWorker(
                        "gpus",
                        "10.0.0.1",
                        7078,
                        8,
                        8_192,
                        "",
                        List.of(new ResourceInformation("gpu", List.of("0", "1", "2")))),
                1,
                0);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        ProfileDemand gpus = new ProfileDemand(1, OptionalInt.of(2), 1_024, Map.of("gpu", 2), 5, Map.of());
        master.want(new WantExecutors(id, 0, List.of(), Map.of(), List.of(gpus)), APPLICATION);
        settle();
        LaunchExecutor launch = messages(LaunchExecutor.class).get(0);
        assertEquals(1, messages(LaunchExecutor.class).size(), "there is one gpu left");
        assertEquals(2, launch.cores());
        assertEquals(1_024, launch.memoryMebibytes());
        assertEquals(List.of(new ResourceInformation("gpu", List.of("0", "1"))), launch.resources());
        master.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
        master.executorEnded(ended(id, "0", 1), 1, now);
        settle();
        assertEquals(512, messages(LaunchExecutor.class).get(1).memoryMebibytes(), "the profile is wanted no more");
        assertEquals(2, messages(LaunchExecutor.class).size());
    }

    @Test
    void refusesProfilesThatNeedNothing() {
        register("worker-a", 1, 8);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        master.want(
                new WantExecutors(
                        id,
                        0,
                        List.of(),
                        Map.of(),
                        List.of(demand(1, 0, 256, 1), demand(2, 1, 0, 1), demand(0, 1, 256, 1))),
                APPLICATION);
        settle();
        assertEquals(List.of(), messages(LaunchExecutor.class));
        assertTrue(notes.get(0).contains("it gets none of them"), notes::toString);
    }

    private static ProfileDemand demand(int profile, int cores, int memory, int total) {
        return new ProfileDemand(profile, OptionalInt.of(cores), memory, Map.of(), total, Map.of());
    }
}
