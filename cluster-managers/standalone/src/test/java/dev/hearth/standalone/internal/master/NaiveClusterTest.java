package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.WorkerEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.master.NaiveCluster.Application;
import dev.hearth.standalone.internal.master.NaiveCluster.Driver;
import dev.hearth.standalone.internal.master.NaiveCluster.Executor;
import dev.hearth.standalone.internal.master.NaiveCluster.Worker;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the placement of the master, which looks only at what may have changed, with one that looks at everything, for
 * random clusters and events. A difference is reported with its seed.
 */
class NaiveClusterTest {
    private static final int SEEDS = Integer.getInteger("hearth.simulation.seeds", 40);
    private static final int EVENTS = 120;
    private static final int EVENTS_PER_SUM = 10;

    @ParameterizedTest
    @EnumSource(SelectionPolicy.class)
    void decidesLikeAPlacementThatLooksAtEverything(SelectionPolicy policy) {
        int starts = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            starts += new Run(policy, seed).run();
        }
        assertTrue(starts > SEEDS * 20, starts + " starts");
    }

    /** One random cluster, in the master and in the model. */
    private static final class Run {
        private static final long PEERS_OF_APPLICATIONS = 1_000;
        private static final int HOSTS = 4;

        private final String title;
        private final SplittableRandom random;
        private final Master master;
        private final NaiveCluster model;
        private final Map<String, Long> peers = new LinkedHashMap<>(); // of applications, by id
        private final List<Orphan> orphans = new ArrayList<>(); // executors whose application has ended
        private long now;
        private int numbers;
        private int starts;

        /** Executor whose process holds addresses although its application has ended. */
        private record Orphan(String id, String number, Application application, Executor executor) {
            Worker worker() {
                return executor.worker();
            }
        }

        Run(SelectionPolicy policy, long seed) {
            title = policy + ", seed " + seed;
            random = new SplittableRandom(seed);
            int driversMax = random.nextBoolean() ? 100 : 1 + random.nextInt(3);
            Map<String, String> settings = new LinkedHashMap<>();
            settings.put("spark.deploy.workerSelectionPolicy", policy.name());
            settings.put("spark.deploy.spreadOutApps", String.valueOf(random.nextInt(3) > 0));
            settings.put("spark.deploy.spreadOutDrivers", String.valueOf(random.nextBoolean()));
            settings.put("spark.deploy.maxDrivers", String.valueOf(driversMax));
            settings.put("spark.deploy.maxExecutorRetries", "-1");
            if (random.nextInt(4) == 0) {
                settings.put("spark.deploy.defaultCores", String.valueOf(1 + random.nextInt(8)));
            }
            MasterSettings read = MasterFixture.settings(settings);
            master = new Master(read, new IdGenerator(Instant.EPOCH, 0), 0);
            model = new NaiveCluster(read.placement(), driversMax);
        }

        int run() {
            for (int event = 0; event < EVENTS; event++) {
                happen(random.nextInt(12));
                if (random.nextInt(3) > 0) {
                    settle(event);
                }
            }
            settle(EVENTS);
            return starts;
        }

        private void happen(int kind) {
            switch (kind) {
                case 0, 1 -> registerWorker();
                case 2 -> submit();
                case 3 -> registerApplication();
                case 4, 5 -> want();
                case 6, 7 -> endExecutor();
                case 8 -> releaseExecutor();
                case 9 -> endDriver();
                case 10 -> loseSomething();
                default -> now += random.nextLong(2_000_000_000L);
            }
        }

        private void registerWorker() {
            if (model.workers.size() > 8) {
                return;
            }
            long peer = ++numbers;
            List<String> addresses = new ArrayList<>();
            for (int address = 0; address < random.nextInt(4); address++) {
                addresses.add(String.valueOf(address));
            }
            // ids that do not have the order of the registrations
            Worker worker = new Worker(
                    "worker-" + random.nextInt(100) + "-" + numbers,
                    "host-" + random.nextInt(HOSTS),
                    peer,
                    1 + random.nextInt(8),
                    256 * (1 + random.nextInt(8)),
                    addresses.size());
            RegisterWorker message = new RegisterWorker(
                    worker.id,
                    worker.host,
                    7078,
                    worker.coresFree,
                    worker.memoryFree,
                    "",
                    List.of(new ResourceInformation("gpu", addresses)));
            assertEquals("", master.registerWorker(message, peer, now).refusal());
            model.workers.put(peer, worker);
        }

        private void submit() {
            int addresses = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
            Driver driver = new Driver(1 + random.nextInt(3), addresses);
            DriverSpec spec = new DriverSpec(
                            "pi", "x.Pi", "/x.jar", List.of(), Map.of(), driver.cores, NaiveCluster.MEMORY_OF_DRIVERS)
                    .but()
                    .addresses(gpus(addresses))
                    .build();
            SubmissionId id = master.submit(new SubmitDriver("request-" + ++numbers, spec, ""), now)
                    .submission();
            model.drivers.put(id.value(), driver);
        }

        private static Map<String, Integer> gpus(int amount) {
            return amount == 0 ? Map.of() : Map.of("gpu", amount);
        }

        private void registerApplication() {
            OptionalInt coresMax = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(12));
            OptionalInt size = random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(4));
            int addresses = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
            Application application = new Application(coresMax, size, 128 * (1 + random.nextInt(6)), addresses, now);
            long peer = PEERS_OF_APPLICATIONS + ++numbers;
            ApplicationId id = master.registerApplication(
                            new RegisterApplication(
                                    "pi",
                                    "application",
                                    "hearth://driver-1@h:1",
                                    coresMax,
                                    size,
                                    application.memory,
                                    Map.of(),
                                    gpus(addresses)),
                            peer,
                            now)
                    .application();
            model.applications.put(id.value(), application);
            peers.put(id.value(), peer);
            want(id.value());
        }

        private void want() {
            if (!model.applications.isEmpty()) {
                want(anyOf(List.copyOf(model.applications.keySet())));
            }
        }

        private void want(String id) {
            Application application = model.applications.get(id);
            application.wanted = random.nextInt(4) == 0 ? 1_000 : random.nextInt(6);
            application.excluded = new LinkedHashSet<>();
            application.tasksByHost = new LinkedHashMap<>();
            if (random.nextInt(3) == 0) {
                application.excluded.add("host-" + random.nextInt(HOSTS));
            }
            for (int host = 0; host < random.nextInt(3); host++) {
                application.tasksByHost.put("host-" + random.nextInt(HOSTS + 1), random.nextInt(5));
            }
            master.want(
                    new WantExecutors(
                            new ApplicationId(id),
                            application.wanted,
                            List.copyOf(application.excluded),
                            application.tasksByHost),
                    peers.get(id));
        }

        private <T> T anyOf(List<T> all) {
            return all.get(random.nextInt(all.size()));
        }

        private void endExecutor() {
            if (!orphans.isEmpty() && random.nextBoolean()) {
                Orphan orphan = orphans.remove(random.nextInt(orphans.size()));
                NaiveCluster.free(orphan.application(), orphan.executor());
                orphan.worker().addressesFree += orphan.application().addresses;
                end(orphan.id(), orphan.number(), orphan.worker(), 143);
                return;
            }
            for (Map.Entry<String, Application> entry : model.applications.entrySet()) {
                Application application = entry.getValue();
                if (!application.executors.isEmpty() && random.nextBoolean()) {
                    String number = anyOf(List.copyOf(application.executors.keySet()));
                    Executor executor = application.executors.remove(number);
                    NaiveCluster.free(application, executor);
                    executor.worker().addressesFree += application.addresses;
                    application.pause.noteEnd(executor.startNanos(), now);
                    end(entry.getKey(), number, executor.worker(), random.nextInt(2));
                    return;
                }
            }
        }

        private void end(String application, String executor, Worker worker, int status) {
            master.executorEnded(
                    new ExecutorEnded(
                            new ApplicationId(application),
                            new ExecutorId(executor),
                            OptionalInt.of(status),
                            "exit status " + status,
                            List.of()),
                    worker.peer,
                    now);
        }

        /** Releases an executor, which ends at once. */
        private void releaseExecutor() {
            for (Map.Entry<String, Application> entry : model.applications.entrySet()) {
                Application application = entry.getValue();
                if (!application.executors.isEmpty() && random.nextBoolean()) {
                    String number = anyOf(List.copyOf(application.executors.keySet()));
                    Executor executor = application.executors.remove(number);
                    NaiveCluster.free(application, executor);
                    executor.worker().addressesFree += application.addresses;
                    master.release(
                            new ReleaseExecutors(
                                    new ApplicationId(entry.getKey()), List.of(new ExecutorId(number)), "idle"),
                            peers.get(entry.getKey()));
                    end(entry.getKey(), number, executor.worker(), 143);
                    return;
                }
            }
        }

        private void endDriver() {
            if (model.drivers.isEmpty()) {
                return;
            }
            String id = anyOf(List.copyOf(model.drivers.keySet()));
            Driver driver = model.drivers.remove(id);
            if (driver.worker == null) {
                master.kill(new SubmissionId(id), now);
                return;
            }
            driver.worker.coresFree += driver.cores;
            driver.worker.memoryFree += NaiveCluster.MEMORY_OF_DRIVERS;
            driver.worker.addressesFree += driver.addresses;
            master.driverEnded(
                    new DriverEnded(new SubmissionId(id), OptionalInt.of(0), "exit status 0", "", ""),
                    driver.worker.peer,
                    now);
        }

        private void loseSomething() {
            if (random.nextBoolean() && !model.workers.isEmpty()) {
                Worker worker = anyOf(List.copyOf(model.workers.values()));
                model.lose(worker);
                orphans.removeIf(orphan -> orphan.worker() == worker);
                master.peerLost(worker.peer, "gone", now);
            } else if (!model.applications.isEmpty()) {
                String id = anyOf(List.copyOf(model.applications.keySet()));
                Application application = model.applications.remove(id);
                application.executors.forEach(
                        (number, executor) -> orphans.add(new Orphan(id, number, application, executor)));
                if (random.nextBoolean()) {
                    master.end(new EndApplication(new ApplicationId(id), "FINISHED"), peers.get(id), now);
                } else {
                    master.peerLost(peers.get(id), "gone", now);
                }
            }
        }

        private void settle(int event) {
            String when = title + ", event " + event;
            List<String> decided = new ArrayList<>();
            for (MasterEffect effect : master.settle(now)) {
                if (effect instanceof MasterEffect.Send send) {
                    String on = " on " + workerAt(send.peer());
                    if (send.message() instanceof LaunchDriver launch) {
                        decided.add(launch.submission() + on);
                    } else if (send.message() instanceof LaunchExecutor launch) {
                        decided.add(launch.application() + "/" + launch.executor() + on + " with " + launch.cores());
                    }
                }
            }
            assertEquals(model.settle(now), decided, when);
            starts += decided.size();
            assertTrue(model.free().allMatch(amount -> amount >= 0), when);
            assertEquals(model.coresFree(), master.coresFree(), when);
            if (event % EVENTS_PER_SUM == 0) {
                expectSums(when);
            }
        }

        private String workerAt(long peer) {
            Worker worker = model.workers.get(peer);
            return worker == null ? "" : worker.id;
        }

        private void expectSums(String when) {
            List<ExecutorEntry> executors = master.executorEntries(Optional.empty()).stream()
                    .filter(executor -> !executor.state().isFinal())
                    .toList();
            for (WorkerEntry worker : master.workerEntries(now)) {
                if (worker.state() != WorkerEntry.State.ALIVE) {
                    continue;
                }
                Worker expected = model.workers.values().stream()
                        .filter(known -> known.id.equals(worker.id()))
                        .findFirst()
                        .orElseThrow();
                assertEquals(
                        expected.coresFree,
                        worker.cores().getAsInt() - worker.coresUsed().getAsInt(),
                        when);
                assertEquals(
                        executors.stream()
                                .filter(executor -> executor.worker().equals(worker.id()))
                                .count(),
                        worker.executors().getAsInt(),
                        when);
            }
            for (ApplicationEntry application : master.applicationEntries(now)) {
                if (!application.state().isFinal()) {
                    assertEquals(
                            executors.stream()
                                    .filter(executor -> executor.application().equals(application.id()))
                                    .mapToInt(executor -> executor.cores().getAsInt())
                                    .sum(),
                            application.cores().getAsInt(),
                            when);
                }
            }
        }
    }
}
