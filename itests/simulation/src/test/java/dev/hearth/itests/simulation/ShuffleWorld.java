package dev.hearth.itests.simulation;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.local.cluster.LocalClusterManager;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.shuffleservice.internal.ServiceFigures;
import dev.hearth.shuffleservice.internal.ShuffleServiceComponent;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A driver with a local cluster of executors in simulated processes, all of the production classes, whose program
 * shuffles. The seed chooses the faults of executors, hosts, disks and connections. Files are real. The seed also sets
 * the number of hosts that executors are spread over; the first host is the driver's.
 */
final class ShuffleWorld {
    static final int EXECUTORS = 4;

    private static final Duration FAULTY = Duration.ofSeconds(6);
    private static final long FAULT_MILLIS_MAX = 4_000;
    private static final long LONG_FAULT_MILLIS_MAX = 400_000;
    private static final int SLOWNESS_MAX = 20;
    private static final int SERVICE_PORT = 7337;
    /** One fault of so many ends a shuffle service. */
    private static final int SERVICE_EVERY = 6;

    /** One executor of so many is a pod, which shares the host of others but neither address nor disks. */
    private static final int POD_EVERY = 3;

    private static final Duration DELAY_MAX = Duration.ofMillis(300);
    private static final Duration DELAY_USUAL = Duration.ofMillis(5);
    private static final MasterUrl MASTER = MasterUrl.parse("local-cluster[" + EXECUTORS + ",1,1024]");

    private final Simulation simulation;
    private final SimulatedProcess driver;
    private final SimulatedProcesses executors;
    private final Map<SimulatedProcesses.Child, ExecutorOrders> orders = new LinkedHashMap<>();
    private final Map<SimulatedProcesses.Child, FaultyDisk> disks = new LinkedHashMap<>();
    private final List<Path> places; // for the files of every process
    private final int hosts;
    private final boolean served;
    private final Map<String, HostService> services = new LinkedHashMap<>(); // by address
    private int servicesStarted;
    private int endingAtOnce; // of the next executors to start
    private final DriverContext context;
    private final ShufflingProgram program;
    private @Nullable DriverServices driverSide;
    private final List<String> repeated = new CopyOnWriteArrayList<>(); // added on the thread of a listener
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private @Nullable String result; // set once the program has ended
    private boolean closed;

    ShuffleWorld(long seed, Path directory) {
        this(seed, directory, false);
    }

    /** If {@code served} is set, each host has a shuffle service in a process of its own. */
    ShuffleWorld(long seed, Path directory, boolean served) {
        this.served = served;
        simulation = new Simulation(seed, new WireRoundTrip()::copy);
        hosts = 1 + simulation.random().nextInt(EXECUTORS);
        places = List.of(directory.resolve("one"), directory.resolve("other"));
        driver = simulation.process("driver");
        executors = new SimulatedProcesses(driver, this::run);
        LocalClusterManager manager = new LocalClusterManager(executors, driver.loop("files"), seed);
        context = SimulatedDriver.context(driver, "shuffles", settings(directory), MASTER, new Overheard(manager));
        if (served) {
            context.addListener(this::heard);
        }
        program = new ShufflingProgram(context, simulation, directory.resolve("output of seed " + seed));
    }

    private Settings settings(Path directory) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("hearth.local.dir", places.get(0) + "," + places.get(1));
        settings.put("hearth.localCluster.dir", directory.toString());
        settings.put("hearth.shuffle.readHostLocalDisk", either());
        settings.put("hearth.speculation", either());
        settings.put("hearth.task.maxFailures", "30");
        settings.put("hearth.stage.maxConsecutiveAttempts", "50");
        settings.put("hearth.executor.maxNumFailures", "100");
        settings.put(
                "hearth.io.encryption.enabled",
                String.valueOf(simulation.random().nextInt(4) == 0));
        if (simulation.random().nextInt(4) == 0) {
            settings.put("hearth.dynamicAllocation.enabled", "true");
            settings.put("hearth.dynamicAllocation.minExecutors", "1");
            settings.put("hearth.dynamicAllocation.maxExecutors", String.valueOf(EXECUTORS));
            settings.put("hearth.dynamicAllocation.executorIdleTimeout", "1s");
            settings.put("hearth.dynamicAllocation.cachedExecutorIdleTimeout", "1s");
            settings.put("hearth.dynamicAllocation.shuffleTracking.enabled", either());
            settings.put("hearth.decommission.enabled", either());
            settings.put("hearth.storage.decommission.enabled", either());
        }
        return Settings.empty().with("simulation", settings);
    }

    private String either() {
        return String.valueOf(simulation.random().nextBoolean());
    }

    Simulation simulation() {
        return simulation;
    }

    /** Runs the program under at most this many faults. */
    void begin(int faultsMax) {
        context.opening().thenCompose(open -> program.run()).whenComplete((nothing, failure) -> {
            result = failure == null ? "right" : Failures.describe(failure);
            context.closing(ApplicationResult.FINISHED).whenComplete((ended, ignored) -> closed = true);
        });
        int faults = simulation.random().nextInt(faultsMax + 1);
        for (int fault = 0; fault < faults; fault++) {
            simulation.schedule(upTo(FAULTY), this::fault);
        }
    }

    /** The outcome of the program; empty while it runs. */
    String result() {
        return result == null ? "" : result;
    }

    int right() {
        return program.right();
    }

    /** The number of the program's jobs. */
    int wanted() {
        return ShufflingProgram.JOBS;
    }

    /** Whether the application has ended and nothing of it is left. */
    boolean isOver() {
        return closed && executors.started().stream().noneMatch(SimulatedProcesses.Child::isAlive);
    }

    private void run(ChildSpec spec, SimulatedProcesses.Child child) {
        if (endingAtOnce > 0) {
            endingAtOnce--;
            child.exitWith(1);
            return;
        }
        ExecutorOrders told = ExecutorOrders.from(spec.orders());
        long host = child.pid() % hosts;
        String name = host == 0 ? told.host() : "host-" + host;
        String address = child.pid() % POD_EVERY == 0 ? "pod-" + child.pid() : name;
        ExecutorOrders own = new ExecutorOrders(told.executor(), name, told.cores(), told.driver(), address);
        FaultyDisk disk = new FaultyDisk();
        orders.put(child, own);
        disks.put(child, disk);
        SimulatedExecutor.run(own, served ? admitted(own) : Map.of(), child, disk);
    }

    /** Orders of the service of a host, which starts with the first executor there, for the next one. */
    private Map<String, String> admitted(ExecutorOrders executor) {
        return services.computeIfAbsent(executor.address(), this::service)
                .service
                .admit(new ApplicationId("shuffles"), executor.driver().toString(), Optional.empty())
                .asSettings();
    }

    /** A shuffle service in a process of its own. */
    private record HostService(SimulatedProcess process, ShuffleService service) {}

    private HostService service(String address) {
        String name = address + "-" + servicesStarted++;
        SimulatedProcess process = simulation.process("service-" + name);
        Settings settings = Settings.empty().with("simulation", "hearth.local.dir", places.get(0) + "/" + address);
        return new HostService(
                process,
                new ShuffleServiceComponent(new ServiceFigures())
                        .open(
                                name,
                                process.env(address, SERVICE_PORT),
                                process.loop("files"),
                                places.get(0),
                                settings));
    }

    /** Ends the service of a host with its executors there, as a worker does. The next executor starts another. */
    private void loseService(SimulatedProcesses.Child child) {
        ExecutorOrders own = orders.get(child);
        HostService lost = own == null ? null : services.remove(own.address());
        if (lost != null) {
            simulation.note("the service of " + own.address() + " is lost");
            lost.process.crash();
            orders.entrySet().stream()
                    .filter(other -> other.getKey().isAlive()
                            && other.getValue().address().equals(own.address()))
                    .forEach(other -> other.getKey().crash());
        }
    }

    /** The directories that services have not removed. */
    List<Path> served() throws IOException {
        List<Path> left = new ArrayList<>();
        for (String address : services.keySet()) {
            Path parent = places.get(0).resolve(address).resolve("hearth-shuffle");
            try (Stream<Path> all = Files.list(parent)) {
                all.forEach(left::add);
            }
        }
        return left;
    }

    /** Kills executors again and again while the program runs, and nothing else. */
    void beginWithCrashes(int crashesMax) {
        begin(0);
        int crashes = simulation.random().nextInt(crashesMax + 1);
        for (int crash = 0; crash < crashes; crash++) {
            simulation.schedule(upTo(FAULTY), () -> {
                List<SimulatedProcesses.Child> alive = executors.started().stream()
                        .filter(SimulatedProcesses.Child::isAlive)
                        .toList();
                if (!alive.isEmpty() && result == null) {
                    pick(alive).crash();
                }
            });
        }
    }

    private void heard(ApplicationEvent event) {
        if (event instanceof ApplicationEvent.StageSubmitted submitted
                && submitted.stage().attempt() > 0) {
            repeated.add(submitted.stage().toString());
        } else if (event instanceof ApplicationEvent.ApplicationEnded) {
            ended.complete(null);
        }
    }

    /** The attempts of stages beyond the first ones, once the application has ended. */
    List<String> repeatedStages() {
        ended.join();
        return repeated;
    }

    private void fault() {
        List<SimulatedProcesses.Child> alive = executors.started().stream()
                .filter(SimulatedProcesses.Child::isAlive)
                .toList();
        if (alive.isEmpty() || result != null) {
            return;
        }
        SimulatedProcesses.Child one = pick(alive);
        if (served && simulation.random().nextInt(SERVICE_EVERY) == 0) {
            loseService(one);
            return;
        }
        List<SimulatedProcess> others = new ArrayList<>(
                alive.stream().map(SimulatedProcesses.Child::process).toList());
        others.add(driver);
        others.remove(one.process());
        Fault kind = pick(List.of(Fault.values()));
        happen(kind, one, pick(others));
    }

    private void happen(Fault kind, SimulatedProcesses.Child child, SimulatedProcess other) {
        SimulatedProcess one = child.process();
        switch (kind) {
            case CRASH -> one.crash();
            case PAUSE -> one.pauseFor(lasting());
            case SLOW -> {
                one.slowBy(2 + simulation.random().nextInt(SLOWNESS_MAX));
                simulation.schedule(lasting(), () -> one.slowBy(1));
            }
            case CUT -> {
                simulation.network().cut(one, other);
                heal(one, other);
            }
            case MUTE -> {
                simulation.network().mute(one, other);
                heal(one, other);
            }
            case DEAFEN -> {
                simulation.network().mute(other, one);
                heal(one, other);
            }
            case DELAY -> {
                simulation.network().delayUpTo(upTo(DELAY_MAX));
                simulation.schedule(lasting(), () -> simulation.network().delayUpTo(DELAY_USUAL));
            }
            case LEAVE -> leave(child);
            case ENDS_AT_ONCE -> {
                endingAtOnce = 1 + simulation.random().nextInt(EXECUTORS);
                one.crash(); // so that an executor starts
            }
            case HOST_LOST -> loseHost(child);
            case FILE_LOST, FILE_DAMAGED, DISK_FULL -> harm(kind, child);
            case DRIVER_PAUSE -> driver.pauseFor(lasting());
            case DRIVER_SLOW -> {
                driver.slowBy(2 + simulation.random().nextInt(SLOWNESS_MAX));
                simulation.schedule(lasting(), () -> driver.slowBy(1));
            }
        }
    }

    private void leave(SimulatedProcesses.Child child) {
        ExecutorOrders own = orders.get(child);
        DriverServices known = driverSide;
        if (own != null && known != null) {
            simulation.note(own.executor() + " is to leave");
            known.loop().execute(() -> known.listener().leaving(own.executor(), "asked to"));
        }
    }

    /** Ends all processes of one host at once; their peers notice only after a while. */
    private void loseHost(SimulatedProcesses.Child child) {
        ExecutorOrders own = orders.get(child);
        if (own != null) {
            simulation.note("host " + own.host() + " is lost");
            Duration heard = lasting();
            orders.entrySet().stream()
                    .filter(other ->
                            other.getKey().isAlive() && other.getValue().host().equals(own.host()))
                    .forEach(other -> other.getKey().vanish(heard));
        }
    }

    private void harm(Fault kind, SimulatedProcesses.Child child) {
        FaultyDisk disk = disks.get(child);
        if (disk == null) {
            return; // the executor has not begun
        }
        String name = child.process().name();
        if (kind == Fault.FILE_LOST) {
            disk.lose(simulation.random()).ifPresent(file -> simulation.note(name + " loses " + file));
        } else if (kind == Fault.FILE_DAMAGED) {
            disk.damage(simulation.random()).ifPresent(file -> simulation.note(name + " has a damaged " + file));
        } else {
            simulation.note(name + " has a full disk");
            disk.fill(pick(places));
            simulation.schedule(lasting(), disk::empty);
        }
    }

    private void heal(SimulatedProcess one, SimulatedProcess other) {
        simulation.schedule(lasting(), () -> simulation.network().heal(one, other));
    }

    /** A random delay, mostly short, sometimes longer than every timeout. */
    private Duration lasting() {
        long most = simulation.random().nextInt(4) == 0 ? LONG_FAULT_MILLIS_MAX : FAULT_MILLIS_MAX;
        return Duration.ofMillis(simulation.random().nextLong(most));
    }

    private Duration upTo(Duration most) {
        return Duration.ofNanos(simulation.random().nextLong(most.toNanos() + 1));
    }

    private <T> T pick(List<T> all) {
        return all.get(simulation.random().nextInt(all.size()));
    }

    private enum Fault {
        CRASH,
        PAUSE,
        SLOW,
        CUT,
        MUTE,
        DEAFEN,
        DELAY,
        LEAVE,
        ENDS_AT_ONCE,
        HOST_LOST,
        FILE_LOST,
        FILE_DAMAGED,
        DISK_FULL,
        DRIVER_PAUSE,
        DRIVER_SLOW
    }

    /** A cluster manager, and the services that the driver gives it. */
    private final class Overheard implements ClusterManager {
        private final ClusterManager manager;

        Overheard(ClusterManager manager) {
            this.manager = manager;
        }

        @Override
        public Set<DeployMode> deployModes() {
            return EnumSet.of(DeployMode.CLIENT);
        }

        @Override
        public void validate(MasterUrl master) {
            manager.validate(master);
        }

        @Override
        public Map<String, String> defaults(MasterUrl master) {
            return manager.defaults(master);
        }

        @Override
        public CompletionStage<SchedulerBackend> open(
                ApplicationSpec application, MasterUrl master, DriverServices driverServices) {
            driverSide = driverServices;
            return manager.open(application, master, driverServices);
        }
    }
}
