package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Placement of drivers and executors by cores and memory. */
class ExecutorPlacementTest {
    private static final int MEMORY = 512; // of each executor, in MiB

    private final FreeWorkers free = new FreeWorkers(MasterSettings.DEFAULTS.placement());
    private final ExecutorPlacement placement = new ExecutorPlacement(free, true);
    private final List<WorkerRecord> workers = new ArrayList<>();
    private int numbers;

    @Test
    void limitsExecutorsOfOneRoundByTheMemoryOfTheirWorker() {
        worker("a", 8, 4 * MEMORY - 1);
        assertEquals(List.of("a 1", "a 1", "a 1"), place(application(OptionalInt.empty(), OptionalInt.of(1), 10)));
    }

    @Test
    void movesOnToOtherWorkersWhenTheMemoryOfOneIsExhausted() {
        worker("a", 8, MEMORY);
        worker("b", 4, 8 * MEMORY);
        assertEquals(
                List.of("a 1", "b 1", "b 1", "b 1"), place(application(OptionalInt.empty(), OptionalInt.of(1), 4)));
    }

    @Test
    void accountsForTheMemoryOfEarlierRoundsAndOtherApplications() {
        worker("a", 8, 3 * MEMORY);
        ApplicationRecord first = application(OptionalInt.empty(), OptionalInt.of(2), 2);
        grant(first);
        assertEquals(List.of("a 1"), place(application(OptionalInt.empty(), OptionalInt.of(1), 10)));
        first.want(new WantExecutors(first.id(), 10, List.of(), Map.of()));
        grant(first);
        assertEquals(List.of(), place(application(OptionalInt.empty(), OptionalInt.of(1), 10)));
        assertEquals(2, workers.get(0).coresFree(), "cores are left, but no memory");
    }

    @Test
    void addsUpMoreMemoryThanAnIntegerHolds() {
        worker("a", 8, Integer.MAX_VALUE);
        int half = Integer.MAX_VALUE / 2;
        assertEquals(List.of("a 1", "a 1"), place(application(OptionalInt.empty(), OptionalInt.of(1), 10, half)));
    }

    @Test
    void growsAnExecutorByCoresWithoutFurtherMemory() {
        worker("a", 4, MEMORY);
        worker("b", 2, MEMORY + 1);
        assertEquals(List.of("a 4", "b 2"), place(application(OptionalInt.empty(), OptionalInt.empty(), 10)));
    }

    @Test
    void spreadsExecutorsOverTheWorkers() {
        worker("a", 4, 8 * MEMORY);
        worker("b", 4, 8 * MEMORY);
        worker("c", 4, 8 * MEMORY);
        assertEquals(List.of("c 1", "b 1", "a 1"), place(application(OptionalInt.empty(), OptionalInt.of(1), 3)));
    }

    @Test
    void beginsEachRoundWithPreferredHosts() {
        worker("a", 8, 8 * MEMORY);
        worker("b", 4, 8 * MEMORY);
        worker("c", 4, 8 * MEMORY);
        ApplicationRecord application = application(OptionalInt.empty(), OptionalInt.of(1), 2);
        Map<String, Integer> preferred = Map.of("host-b", 4, "host-c", 10, "host-elsewhere", 100);
        application.want(new WantExecutors(application.id(), 2, List.of(), preferred));
        assertEquals(List.of("c 1", "b 1"), place(application));
        application.want(new WantExecutors(application.id(), 4, List.of(), preferred));
        assertEquals(List.of("c 1", "c 1", "b 1", "a 1"), place(application), "spread over all workers as ever");
        application.want(new WantExecutors(application.id(), 1, List.of(), preferred));
        grant(application);
        application.want(new WantExecutors(application.id(), 2, List.of(), preferred));
        assertEquals(List.of("c 1"), place(application), "5 tasks per executor there, 4 on b");
        grant(application);
        application.want(new WantExecutors(application.id(), 3, List.of(), preferred));
        assertEquals(List.of("b 1"), place(application));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void placesAsManyExecutorsWhateverHostsArePreferred(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<String, Integer> preferred = new LinkedHashMap<>();
        for (int number = 0; number < 1 + random.nextInt(8); number++) {
            worker("w" + number, 1 + random.nextInt(9), MEMORY * (1 + random.nextInt(6)));
            preferred.put("host-w" + random.nextInt(10), random.nextInt(20));
        }
        OptionalInt size = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(3));
        OptionalInt max = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(20));
        int wanted = random.nextInt(10);
        ApplicationRecord plain = application(max, size, wanted);
        ApplicationRecord preferring = application(max, size, wanted);
        preferring.want(new WantExecutors(preferring.id(), wanted, List.of(), preferred));
        assertEquals(place(plain).size(), place(preferring).size());
        if (wanted == 1 && place(plain).size() == 1) {
            String chosen = place(preferring).get(0).split(" ", 2)[0];
            long better = workers.stream()
                    .filter(worker -> worker.fits(size.orElse(1), MEMORY))
                    .filter(worker -> demand(preferring).preference(worker.host())
                            > demand(preferring).preference("host-" + chosen))
                    .count();
            assertEquals(0, better, "workers on hosts that more tasks prefer");
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    @Test
    void ordersWorkersByHostsWhateverTheirFreeCores() {
        worker("a", 8, 8 * MEMORY);
        worker("b", 2, 8 * MEMORY);
        ApplicationRecord application = application(OptionalInt.of(2), OptionalInt.empty(), 1);
        application.want(new WantExecutors(application.id(), 1, List.of(), Map.of("host-b", 1)));
        assertEquals(List.of("b 2"), place(application));
    }

    @Test
    void staysBelowTheMaximumOfCores() {
        worker("a", 4, 8 * MEMORY);
        worker("b", 4, 8 * MEMORY);
        assertEquals(List.of("b 2", "a 2"), place(application(OptionalInt.of(5), OptionalInt.of(2), 10)));
        assertEquals(List.of(), place(application(OptionalInt.of(1), OptionalInt.of(2), 10)));
    }

    @Test
    void placesADriverOnlyWhereItsMemoryFits() {
        worker("a", 8, MEMORY - 1);
        assertEquals(Optional.empty(), free.forDriver(ProcessNeeds.of(driver(Map.of()))));
        worker("b", 1, MEMORY);
        assertEquals(
                "b",
                free.forDriver(ProcessNeeds.of(driver(Map.of()))).orElseThrow().id());
    }

    @Test
    void placesDriversAndExecutorsOnlyWhereTheirAddressesAre() {
        worker("a", 8, 8 * MEMORY, "0");
        worker("b", 4, 8 * MEMORY, "0", "1", "2");
        assertEquals(
                "b",
                free.forDriver(ProcessNeeds.of(driver(Map.of("gpu", 2))))
                        .orElseThrow()
                        .id());
        assertEquals(Optional.empty(), free.forDriver(ProcessNeeds.of(driver(Map.of("gpu", 4)))));
        assertEquals(Optional.empty(), free.forDriver(ProcessNeeds.of(driver(Map.of("fpga", 1)))));
        assertEquals(
                List.of("a 1", "b 1", "b 1", "b 1"),
                place(application(OptionalInt.empty(), OptionalInt.of(1), 10, MEMORY, Map.of("gpu", 1))));
        assertEquals(
                List.of("b 4"),
                place(application(OptionalInt.empty(), OptionalInt.empty(), 10, MEMORY, Map.of("gpu", 2))),
                "all cores of a worker for one executor");
    }

    private static DriverSpec driver(Map<String, Integer> addresses) {
        return new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, MEMORY)
                .but()
                .addresses(addresses)
                .build();
    }

    private void worker(String id, int cores, int memory, String... gpus) {
        List<ResourceInformation> resources = List.of(new ResourceInformation("gpu", List.of(gpus)));
        WorkerRecord worker = new WorkerRecord(
                new RegisterWorker(id, "host-" + id, 7078, cores, memory, "", resources), workers.size(), 0, free);
        workers.add(worker);
        free.add(worker);
    }

    private ApplicationRecord application(OptionalInt coresMax, OptionalInt executorCores, int wanted) {
        return application(coresMax, executorCores, wanted, MEMORY);
    }

    private ApplicationRecord application(OptionalInt coresMax, OptionalInt executorCores, int wanted, int memory) {
        return application(coresMax, executorCores, wanted, memory, Map.of());
    }

    private ApplicationRecord application(
            OptionalInt coresMax, OptionalInt executorCores, int wanted, int memory, Map<String, Integer> addresses) {
        ApplicationRecord application = new ApplicationRecord(
                new ApplicationId("app-" + ++numbers),
                numbers,
                new RegisterApplication(
                        "pi",
                        "application",
                        "hearth://driver-1@h:1",
                        coresMax,
                        executorCores,
                        memory,
                        Map.of(),
                        addresses),
                9,
                coresMax.orElse(Integer.MAX_VALUE),
                0,
                0);
        application.want(new WantExecutors(application.id(), wanted, List.of(), Map.of()));
        return application;
    }

    private List<String> place(ApplicationRecord application) {
        return placement.place(demand(application)).stream()
                .map(slot -> slot.worker().id() + " " + slot.cores())
                .toList();
    }

    private void grant(ApplicationRecord application) {
        DemandRecord demand = demand(application);
        placement.place(demand).forEach(slot -> application.grant(demand, slot.worker(), slot.cores(), 0, 0));
    }

    private static DemandRecord demand(ApplicationRecord application) {
        return application.demands().iterator().next();
    }
}
