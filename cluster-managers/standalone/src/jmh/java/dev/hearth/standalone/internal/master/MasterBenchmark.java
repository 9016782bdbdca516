package dev.hearth.standalone.internal.master;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/**
 * Measures one event at a master of {@code size} workers x applications, with what it decides then. Workers have 8 cores and
 * 8 GiB. The goal is 50 microseconds for 10,000 workers and 1,000 applications.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class MasterBenchmark {
    private static final int CORES = 8;
    private static final int MEMORY = 8_192;
    private static final int DRIVERS = 1_000;
    private static final int SHAPES = 4;
    private static final long APPLICATIONS = 1_000_000; // the first peer of an application
    private static final long SUBMITTER = -7;

    @Param({"10x10", "100x100", "1000x100", "1000x1000", "10000x1000"})
    private String size = "";

    private Master master = master(Map.of());
    private int workers;
    private int applications;
    private long now;
    private long number;
    private int turn;
    private final List<ApplicationId> ids = new ArrayList<>();
    private final Map<ApplicationId, Integer> numbers = new LinkedHashMap<>();
    private final Deque<LaunchedExecutor> executors = new ArrayDeque<>();
    private final Deque<LaunchedDriver> drivers = new ArrayDeque<>();

    private record LaunchedExecutor(LaunchExecutor launch, long peer) {}

    private record LaunchedDriver(SubmissionId submission, long peer) {}

    private static Master master(Map<String, String> settings) {
        return new Master(
                MasterSettings.from(Settings.empty().with("benchmark", settings)),
                new IdGenerator(Instant.parse("2026-11-18T09:47:46Z"), 0),
                0);
    }

    /** Fills a cluster as the benchmark needs it. */
    @Setup(Level.Trial)
    public void fill(BenchmarkParams benchmark) {
        read(size);
        String name =
                benchmark.getBenchmark().substring(benchmark.getBenchmark().lastIndexOf('.') + 1);
        switch (name) {
            case "hungryWish", "hungryEnd" -> fill(tooMany(), 1, 1_024);
            case "waitingDrivers" -> fillWithDrivers();
            case "driverWith200Kept" -> keep(200);
            case "driverWith20000Kept" -> keep(20_000);
            default -> fill(1, 1, 1_024);
        }
    }

    private void read(String wanted) {
        size = wanted;
        workers = Integer.parseInt(size.substring(0, size.indexOf('x')));
        applications = Integer.parseInt(size.substring(size.indexOf('x') + 1));
        master = master(Map.of("hearth.deploy.retainedTime", "0s", "hearth.deploy.submissionsMax", "100000"));
    }

    private void fillWithDrivers() {
        fill(0, 1, 1_024);
        for (int driver = 0; driver < workers + DRIVERS; driver++) {
            submit(MEMORY - driver % SHAPES);
        }
        settle();
    }

    private void keep(int kept) {
        master = master(Map.of(
                "hearth.deploy.retainedDrivers", String.valueOf(kept), "hearth.deploy.submissionsMax", "100000"));
        for (int worker = 0; worker < workers; worker++) {
            registerWorker(worker);
        }
        for (int driver = 0; driver < kept; driver++) {
            submit(512);
            settle();
            end(drivers.remove());
        }
    }

    private void fill(int executorsWanted, int cores, int memory) {
        for (int worker = 0; worker < workers; worker++) {
            registerWorker(worker);
        }
        for (int application = 0; application < applications; application++) {
            RegisterApplication request = new RegisterApplication(
                    "pi",
                    "application",
                    "hearth://driver-1@h:1",
                    OptionalInt.empty(),
                    OptionalInt.of(cores),
                    memory,
                    Map.of(),
                    Map.of());
            ids.add(master.registerApplication(request, APPLICATIONS + application, now)
                    .application());
            numbers.put(ids.get(application), application);
            want(application, executorsWanted);
        }
        settle();
    }

    /** Executors that each application wants so that all want twice as many as the cluster holds. */
    private int tooMany() {
        return 2 * CORES * workers / applications;
    }

    private void registerWorker(int worker) {
        master.registerWorker(
                new RegisterWorker("worker-" + worker, "10.0." + worker, 7078, CORES, MEMORY, "/work"), worker, now);
    }

    private void want(int application, int total) {
        master.want(new WantExecutors(ids.get(application), total, List.of(), Map.of()), APPLICATIONS + application);
    }

    private int settle() {
        List<MasterEffect> effects = master.settle(now);
        for (MasterEffect effect : effects) {
            if (effect instanceof MasterEffect.Send send) {
                if (send.message() instanceof LaunchExecutor launch) {
                    executors.add(new LaunchedExecutor(launch, send.peer()));
                } else if (send.message() instanceof LaunchDriver launch) {
                    drivers.add(new LaunchedDriver(launch.submission(), send.peer()));
                }
            }
        }
        return effects.size();
    }

    /** A satisfied application repeats its wish; nothing is missing anywhere. */
    @Benchmark
    public int satisfied() {
        turn = (turn + 1) % applications;
        want(turn, 1);
        return settle();
    }

    /** All applications together want twice what a full cluster has; one of them repeats its wish. */
    @Benchmark
    public int hungryWish() {
        turn = (turn + 1) % applications;
        want(turn, tooMany());
        return settle();
    }

    /** All applications together want twice what a full cluster has; an executor ends, and another one takes its place. */
    @Benchmark
    public int hungryEnd() {
        LaunchedExecutor ended = executors.remove();
        int application = numbers.getOrDefault(ended.launch().application(), 0);
        master.release(
                new ReleaseExecutors(
                        ended.launch().application(), List.of(ended.launch().executor()), "idle"),
                APPLICATIONS + application);
        master.executorEnded(
                new ExecutorEnded(
                        ended.launch().application(),
                        ended.launch().executor(),
                        OptionalInt.of(143),
                        "exit status 143",
                        List.of()),
                ended.peer(),
                now);
        return settle();
    }

    /** The cluster is full of drivers, and 1,000 of four sizes wait; one ends, and another one takes its place. */
    @Benchmark
    public int waitingDrivers() {
        LaunchedDriver ended = drivers.remove();
        end(ended);
        submit(MEMORY - (int) (number % SHAPES));
        return settle();
    }

    /** A worker with one executor is lost and registers again; two events. */
    @Benchmark
    public int workerLostAndBack() {
        turn = (turn + 1) % workers;
        master.peerLost(turn, "reset", now);
        int effects = settle();
        registerWorker(turn);
        return effects + settle();
    }

    /** The timer runs. */
    @Benchmark
    public int timer() {
        master.expire(now);
        return settle();
    }

    /** A driver is submitted, placed, and ends, with 200 ended ones kept. */
    @Benchmark
    public int driverWith200Kept() {
        return drive();
    }

    /** A driver is submitted, placed, and ends, with 20,000 ended ones kept. */
    @Benchmark
    public int driverWith20000Kept() {
        return drive();
    }

    private int drive() {
        submit(512);
        int effects = settle();
        end(drivers.remove());
        return effects + settle();
    }

    private void submit(int memory) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, memory);
        master.submit(new SubmitDriver("request-" + number++, spec, ""), SUBMITTER, now);
    }

    private void end(LaunchedDriver driver) {
        master.driverEnded(
                new DriverEnded(driver.submission(), OptionalInt.of(0), "exit status 0", "", ""), driver.peer(), now);
    }

    /** Places 8 executors for each application on an empty cluster: the figure is for all of them. */
    @State(Scope.Thread)
    public static class Empty {
        private final MasterBenchmark cluster = new MasterBenchmark();

        /** Fills a cluster whose applications want nothing yet. */
        @Setup(Level.Invocation)
        public void register(MasterBenchmark sized) {
            cluster.ids.clear();
            cluster.read(sized.size);
            cluster.fill(0, 1, 1_024);
            for (int application = 0; application < cluster.applications; application++) {
                cluster.want(application, CORES);
            }
        }
    }

    /** First placement of 8 executors for each application. */
    @Benchmark
    public int firstPlacement(Empty empty) {
        return empty.cluster.settle();
    }
}
