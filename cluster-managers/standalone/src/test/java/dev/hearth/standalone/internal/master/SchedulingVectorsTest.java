package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of Spark's suites about scheduling on a standalone cluster, with the numbers that they expect. */
class SchedulingVectorsTest {
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final long APPLICATION = 9;

    /** Three workers of 10 cores and 512 MiB; cores are given in their order. Empty numbers are not set. */
    @ParameterizedTest(name = "{0}: {1} MiB, {2} cores each, {3} at most, {4} executors")
    @CsvSource({
        "basic, 128, , , , '10, 10, 10', '10, 10, 10'",
        "basic with more memory, 384, , , , '10, 10, 10', '10, 10, 10'",
        "max cores, 128, , 8, , '3, 3, 2', '8, 0, 0'",
        "max cores, 128, , 16, , '6, 5, 5', '10, 6, 0'",
        "cores per executor, 128, 2, , , '8, 8, 8', '8, 8, 8'",
        "cores per executor, 32, 2, , , '10, 10, 10', '10, 10, 10'",
        "cores per executor, 32, 3, , , '9, 9, 9', '9, 9, 9'",
        "cores per executor AND max cores, 32, 2, 4, , '2, 2, 0', '4, 0, 0'",
        "cores per executor AND max cores, 32, 2, 20, , '8, 6, 6', '10, 10, 0'",
        "cores per executor AND max cores, 32, 3, 20, , '6, 6, 6', '9, 9, 0'",
        "executor limit, 32, , , 0, '0, 0, 0', '0, 0, 0'",
        "executor limit, 32, , , 2, '10, 10, 0', '10, 10, 0'",
        "executor limit, 32, , , 5, '10, 10, 10', '10, 10, 10'",
        "executor limit AND max cores, 32, , 16, 0, '0, 0, 0', '0, 0, 0'",
        "executor limit AND max cores, 32, , 16, 2, '8, 8, 0', '10, 6, 0'",
        "executor limit AND max cores, 32, , 16, 5, '6, 5, 5', '10, 6, 0'",
        "executor limit AND cores per executor, 32, 4, , 0, '0, 0, 0', '0, 0, 0'",
        "executor limit AND cores per executor, 32, 4, , 2, '4, 4, 0', '8, 0, 0'",
        "executor limit AND cores per executor, 32, 4, , 5, '8, 8, 4', '8, 8, 4'",
        "everything, 32, 4, 18, 0, '0, 0, 0', '0, 0, 0'",
        "everything, 32, 4, 18, 2, '4, 4, 0', '8, 0, 0'",
        "everything, 32, 4, 18, 5, '8, 4, 4', '8, 8, 0'"
    })
    void givesTheCoresThatSparkGives(
            String name, int memory, Integer each, Integer most, Integer limit, String spread, String packed) {
        for (boolean spreadOut : new boolean[] {true, false}) {
            Master master = master(Map.of("spark.deploy.spreadOutApps", String.valueOf(spreadOut)));
            for (long peer = 1; peer <= 3; peer++) {
                register(master, "worker-" + peer, peer, 10, 512);
            }
            want(master, memory, optional(each), optional(most), limit == null ? NO_LIMIT : limit);
            Map<Long, Integer> cores = new TreeMap<>(Map.of(-1L, 0, -2L, 0, -3L, 0)); // the greatest id first
            sent(master, LaunchExecutor.class)
                    .forEach(
                            send -> cores.merge(-send.peer(), ((LaunchExecutor) send.message()).cores(), Integer::sum));
            assertEquals(List.of((spreadOut ? spread : packed).split(", ")), texts(cores.values()), name);
        }
    }

    /** Workers 10001, 10002 and 10003 have 5, 6 and 7 cores, and 1280, 5120 and 3840 MiB. */
    @ParameterizedTest
    @CsvSource({
        "CORES_FREE_ASC, '10001, 10002', 10001",
        "CORES_FREE_DESC, '10002, 10003', 10003",
        "MEMORY_FREE_ASC, '10001, 10003', 10001",
        "MEMORY_FREE_DESC, '10002, 10003', 10002",
        "WORKER_ID, '10001, 10002', 10001"
    })
    void selectsTheWorkersThatSparkSelects(String policy, String spread, String packed) {
        for (boolean spreadOut : new boolean[] {true, false}) {
            Master master = master(Map.of(
                    "spark.deploy.workerSelectionPolicy",
                    policy,
                    "spark.deploy.spreadOutApps",
                    String.valueOf(spreadOut)));
            register(master, "10001", 10_001, 5, 1_280);
            register(master, "10002", 10_002, 6, 5_120);
            register(master, "10003", 10_003, 7, 3_840);
            want(master, 128, OptionalInt.of(2), OptionalInt.of(4), NO_LIMIT);
            List<Long> used = sent(master, LaunchExecutor.class).stream()
                    .map(MasterEffect.Send::peer)
                    .distinct()
                    .sorted()
                    .toList();
            assertEquals(List.of((spreadOut ? spread : packed).split(", ")), texts(used), policy);
        }
    }

    @ParameterizedTest
    @CsvSource({"true, '1, 1, 1'", "false, '3, 0, 0'"})
    void spreadsOutDriversOrNot(boolean spreadOut, String expected) {
        Master master = master(Map.of("spark.deploy.spreadOutDrivers", String.valueOf(spreadOut)));
        for (long peer = 1; peer <= 3; peer++) {
            register(master, "worker-" + peer, peer, 10, 512);
        }
        for (int driver = 0; driver < 3; driver++) {
            submit(master, driver);
        }
        Map<Long, Integer> drivers = new TreeMap<>(Map.of(1L, 0, 2L, 0, 3L, 0));
        sent(master, LaunchDriver.class).forEach(send -> drivers.merge(send.peer(), 1, Integer::sum));
        assertEquals(List.of(expected.split(", ")), texts(drivers.values()));
    }

    @Test
    void boundsTheDriversThatRun() {
        Master master = master(Map.of("spark.deploy.maxDrivers", "4"));
        register(master, "worker-1", 1, 10, 512);
        for (int driver = 0; driver < 3; driver++) {
            submit(master, driver);
        }
        assertEquals(3, sent(master, LaunchDriver.class).size());
        for (int driver = 3; driver < 6; driver++) {
            submit(master, driver);
        }
        assertEquals(1, sent(master, LaunchDriver.class).size());
    }

    @Test
    void boundsTheCoresOfApplicationsThatSetNoMaximum() {
        Master master = master(Map.of("spark.deploy.defaultCores", "4"));
        for (long peer = 1; peer <= 3; peer++) {
            register(master, "worker-" + peer, peer, 10, 512);
        }
        want(master, 32, OptionalInt.empty(), OptionalInt.empty(), NO_LIMIT);
        want(master, 32, OptionalInt.empty(), OptionalInt.of(6), NO_LIMIT);
        assertEquals(
                List.of("2", "1", "1", "2", "2", "2"),
                texts(sent(master, LaunchExecutor.class).stream()
                        .map(send -> ((LaunchExecutor) send.message()).cores())
                        .toList()));
    }

    private static OptionalInt optional(Integer number) {
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    private static List<String> texts(Iterable<? extends Number> numbers) {
        List<String> texts = new ArrayList<>();
        numbers.forEach(number -> texts.add(String.valueOf(number)));
        return texts;
    }

    private static Master master(Map<String, String> settings) {
        return new Master(MasterFixture.settings(settings), new IdGenerator(Instant.EPOCH, 0), 0);
    }

    private static void register(Master master, String worker, long peer, int cores, int memory) {
        master.registerWorker(new RegisterWorker(worker, "localhost", 7078, cores, memory, ""), peer, 0);
    }

    private static void submit(Master master, int number) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 1);
        master.submit(new SubmitDriver("request-" + number, spec, ""), 0);
    }

    private static void want(Master master, int memory, OptionalInt each, OptionalInt most, int executors) {
        RegisterApplication request = new RegisterApplication("test", "application", "", most, each, memory, Map.of());
        ApplicationId id = master.registerApplication(request, APPLICATION, 0).application();
        master.want(new WantExecutors(id, executors, List.of(), Map.of()), APPLICATION);
    }

    private static List<MasterEffect.Send> sent(Master master, Class<? extends Record> type) {
        return master.settle(0).stream()
                .filter(MasterEffect.Send.class::isInstance)
                .map(MasterEffect.Send.class::cast)
                .filter(send -> type.isInstance(send.message()))
                .toList();
    }
}
