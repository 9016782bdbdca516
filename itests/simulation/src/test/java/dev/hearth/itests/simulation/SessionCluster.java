package dev.hearth.itests.simulation;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneManager;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingDriver;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Standalone cluster of production classes whose master is killed and started again, with workers, drivers and client
 * applications that outlive it. Keeps a ledger of all processes that were started. Invariants at any time: a driver has at
 * most one process, no executor is started twice, and no worker runs more than it has.
 */
final class SessionCluster {
    static final int MACHINES = 3;
    static final int CORES = 8;

    private static final RpcAddress MASTER = new RpcAddress("127.0.0.1", 7077);
    private static final MasterUrl URL = MasterUrl.parse("hearth://" + MASTER);
    private static final Settings ONE_CORE = Settings.empty().with("test", "hearth.executor.cores", "1");

    private final Simulation simulation;
    private final Optional<SimulatedFactLog> log;
    private final List<Machine> machines = new ArrayList<>();
    private final List<Program> programs = new ArrayList<>();
    private final List<Submission> submissions = new ArrayList<>();
    private final Map<String, List<OrderedProcess>> started =
            new LinkedHashMap<>(); // by driver, or application and executor
    private SimulatedProcess master;
    private MasterShell shell;
    private int epoch;

    /** Creates a cluster whose masters share a log of facts, if {@code recovers} is set. */
    SessionCluster(long seed, boolean recovers) {
        simulation = new Simulation(seed, new WireRoundTrip()::copy);
        master = simulation.process("master");
        log = recovers ? Optional.of(new SimulatedFactLog(simulation)) : Optional.empty();
        shell = lead();
        for (int number = 0; number < MACHINES; number++) {
            Machine machine = new Machine("10.0.0." + (number + 1));
            machines.add(machine);
            machine.start();
        }
        simulation.always("at most one process of each driver", this::hasNoTwins);
        simulation.always(
                "no worker runs more than it has",
                () -> machines.stream().allMatch(machine -> machine.coresInUse() <= CORES));
    }

    /** Process of a driver or executor. */
    private record OrderedProcess(SimulatedProcesses.Child child, int cores) {}

    private MasterShell lead() {
        EventLoop loop = master.loop("master");
        MasterShell leading = new MasterShell(
                MasterSettings.DEFAULTS,
                loop,
                master.env(MASTER.host(), MASTER.port()),
                UploadDesk.NONE,
                log.map(kept ->
                        kept.recover(MasterSettings.DEFAULTS, master.ticker().wall())));
        leading.start();
        epoch++;
        return leading;
    }

    /** Kills the master, and starts another one after {@code away}. What was not durable is lost. */
    void crashMaster(Duration away) {
        if (master.alive()) {
            master.crash();
            log.ifPresent(SimulatedFactLog::crash);
            simulation.schedule(away, () -> {
                master = master.restart();
                shell = lead();
            });
        }
    }

    Simulation simulation() {
        return simulation;
    }

    int epoch() {
        return epoch;
    }

    int upTo(int most) {
        return simulation.random().nextInt(most);
    }

    List<Machine> machines() {
        return machines;
    }

    List<Program> programs() {
        return programs;
    }

    List<Submission> submissions() {
        return submissions;
    }

    boolean isRemembered() {
        return log.orElseThrow().replays();
    }

    int coresFree() {
        return shell.coresFree();
    }

    int applications() {
        return shell.applications();
    }

    private boolean hasNoTwins() {
        return started.values().stream()
                .allMatch(all -> all.stream()
                                .filter(process -> process.child().isAlive())
                                .count()
                        <= 1);
    }

    /** Names of the processes that were started, each as often as it was, and those of them that run. */
    List<String> history() {
        List<String> names = new ArrayList<>();
        started.forEach((name, all) -> all.forEach(process -> names.add(name)));
        return names;
    }

    List<String> running() {
        List<String> names = new ArrayList<>();
        started.forEach((name, all) ->
                all.stream().filter(process -> process.child().isAlive()).forEach(process -> names.add(name)));
        return names;
    }

    /** Lets the connections between the master and a random machine or application end, and come back soon. */
    void flicker() {
        SimulatedProcess one = upTo(2) == 0 || programs.isEmpty()
                ? machines.get(upTo(MACHINES)).worker
                : programs.get(upTo(programs.size())).process;
        SimulatedProcess other = master;
        simulation.network().cut(one, other);
        simulation.schedule(
                Duration.ofMillis(100 + upTo(2_900)), () -> simulation.network().heal(one, other));
    }

    /** Begins a client application, which wants {@code executors}. */
    Program begin(int executors) {
        Program program = new Program(simulation.process("client-" + programs.size()), Settings.empty());
        program.open(executors);
        return program;
    }

    Submission submit(boolean supervise) {
        Submission submission = new Submission(supervise);
        submissions.add(submission);
        submission.begin();
        return submission;
    }

    private void run(ChildSpec spec, SimulatedProcesses.Child child) {
        if (spec.role().equals("driver")) {
            String id = spec.orders().getOrDefault("hearth.submission.id", "");
            note(id, new OrderedProcess(child, 1));
            new Program(child.process(), Settings.empty().with("orders", spec.orders())).open(1);
            return;
        }
        String name = spec.directory().getParent().getFileName() + "/"
                + spec.directory().getFileName();
        note(name, new OrderedProcess(child, ExecutorOrders.from(spec.orders()).cores()));
        simulation.require(
                "executor " + name + " is started once", () -> started.get(name).size() == 1);
        String driver = ExecutorOrders.from(spec.orders()).driver().endpoint();
        programs.stream()
                .filter(program -> program.name.equals(driver))
                .findFirst()
                .ifPresentOrElse(program -> program.run(child), () -> child.exitWith(1));
    }

    private void note(String name, OrderedProcess process) {
        started.computeIfAbsent(name, first -> new ArrayList<>()).add(process);
    }

    /** An application: the backend of production, and executors that end with the process of the driver. */
    final class Program extends TestingDriver {
        private final SimulatedProcess process;
        private final EventLoop loop;
        private final Settings settings;
        private final String name = "driver-" + programs.size();
        private final RpcEnv rpc;
        private final Set<ExecutorId> executors = new LinkedHashSet<>();
        private final List<String> lost = new ArrayList<>();
        private @Nullable SchedulerBackend backend;
        private boolean isAway;
        private @Nullable String failure;

        private Program(SimulatedProcess process, Settings settings) {
            this.process = process;
            this.loop = process.loop("driver");
            this.rpc = process.env();
            this.settings = settings;
            programs.add(this);
        }

        private void open(int wanted) {
            loop.execute(() -> new StandaloneManager()
                    .open(new ApplicationSpec(name, settings), URL, this)
                    .whenComplete((open, refusal) -> {
                        if (refusal == null) {
                            backend = open;
                            want(wanted);
                        } else {
                            failure = String.valueOf(refusal.getMessage());
                            process.crash();
                        }
                    }));
        }

        /** Sets the number of executors that the application wants. */
        void want(int wanted) {
            loop.execute(() -> {
                if (backend != null) {
                    backend.want(Map.of(ProfileId.DEFAULT, new Demand(wanted, 0, Map.of())), Set.of());
                }
            });
        }

        /** Gives back one executor, and wants {@code wanted}. */
        void releaseOne(int wanted) {
            want(wanted);
            loop.execute(() -> executors.stream().findFirst().ifPresent(executor -> {
                if (backend != null) {
                    backend.release(Set.of(executor), "it is idle");
                }
            }));
        }

        /** Ends the application in order, and its process. */
        void finish() {
            loop.execute(() -> {
                if (backend != null) {
                    backend.close(ApplicationResult.FINISHED).whenComplete((done, refusal) -> process.crash());
                }
            });
        }

        void crash() {
            process.crash();
        }

        boolean isAlive() {
            return process.alive();
        }

        int executors() {
            return executors.size();
        }

        /** Reasons for the losses of executors. */
        List<String> lost() {
            return lost;
        }

        boolean isAway() {
            return isAway;
        }

        @Nullable
        String failure() {
            return failure;
        }

        /** Runs an executor until it is stopped, or soon after the end of this process. */
        private void run(SimulatedProcesses.Child child) {
            if (!process.alive()) {
                child.exitWith(1);
            }
            process.onCrash(() -> simulation.schedule(Duration.ofMillis(upTo(300)), () -> child.exitWith(1)));
        }

        @Override
        public EventLoop loop() {
            return loop;
        }

        @Override
        public RpcEnv rpc() {
            return rpc;
        }

        @Override
        public EndpointUri driverEndpoint() {
            return new EndpointUri(name, new RpcAddress("10.1.0.1", 7_000));
        }

        @Override
        public ExecutorProfile profile(ProfileId id) {
            return ExecutorProfile.of(ONE_CORE);
        }

        @Override
        public void started(ExecutorId executor, String host, int cores) {
            executors.add(executor);
        }

        @Override
        public void leaving(ExecutorId executor, String reason) {
            throw new AssertionError(executor + " leaves: " + reason);
        }

        @Override
        public void lost(ExecutorId executor, LostExecutor why) {
            if (executors.remove(executor)) {
                lost.add(executor + ": " + why.cause() + ", " + why.reason());
            }
        }

        @Override
        public void clusterAway(String reason) {
            isAway = true;
        }

        @Override
        public void clusterBack() {
            isAway = false;
        }

        @Override
        public void clusterLost(HearthException why) {
            failure = String.valueOf(why.getMessage());
            process.crash();
        }
    }

    /** One submission, and the reports that its submitter receives. */
    final class Submission implements SubmissionListener {
        private final boolean supervise;
        private final SimulatedProcess process = simulation.process("submitter-" + submissions.size());
        private final EventLoop loop = process.loop("submitter");
        private final String request = "request-" + submissions.size();
        private final List<SubmissionStatus> heard = new ArrayList<>();
        private @Nullable SubmissionId id;

        private Submission(boolean supervise) {
            this.supervise = supervise;
        }

        private void begin() {
            SubmissionPlan plan = SubmissionPlan.builder("d", "x.D")
                    .add(SubmissionResource.Kind.APPLICATION_JAR, "/x.jar")
                    .settings(Settings.empty().with("test", "hearth.driver.supervise", String.valueOf(supervise)))
                    .build();
            loop.execute(() -> new StandaloneSubmitter(
                            URL, new TestingSubmissionServices(process.env(), loop, Settings.empty()))
                    .submit(plan, request, this)
                    .whenComplete((accepted, failure) -> id = accepted));
        }

        boolean isSupervised() {
            return supervise;
        }

        /** The id of the driver; empty if none was acknowledged. */
        Optional<SubmissionId> id() {
            return Optional.ofNullable(id);
        }

        List<SubmissionState> states() {
            return heard.stream().map(SubmissionStatus::state).toList();
        }

        /** Ends the process of the driver, if it has one, with {@code status}. */
        void exit(int status) {
            id().map(known -> started.getOrDefault(known.value(), List.of())).orElse(List.of()).stream()
                    .filter(each -> each.child().isAlive())
                    .forEach(each -> each.child().exitWith(status));
        }

        @Override
        public void changed(SubmissionStatus status) {
            heard.add(status);
        }

        @Override
        public void lost(String reason) {
            simulation.require("submitter of " + id + " hears of the end: " + reason, log::isEmpty);
        }
    }

    /** A machine with its worker, which is started again after a crash. */
    final class Machine {
        private final String host;
        private final List<SimulatedProcesses> all = new ArrayList<>();
        private SimulatedProcess worker;

        Machine(String host) {
            this.host = host;
            this.worker = simulation.process("worker@" + host);
        }

        private void start() {
            worker.skew(Duration.ZERO, upTo(100_000) - 50_000);
            SimulatedProcesses processes = new SimulatedProcesses(worker, SessionCluster.this::run);
            all.add(processes);
            WorkerSpec spec = new WorkerSpec(
                    "worker-" + host,
                    new RpcAddress(host, 7078),
                    CORES,
                    64_000,
                    Path.of("work"),
                    OutputFiles.DEFAULTS,
                    CleanupSettings.DEFAULTS,
                    List.of(MASTER),
                    WorkerSpec.Children.DEFAULTS,
                    List.of(),
                    Optional.empty(),
                    WorkerSpec.Pages.DEFAULTS,
                    false,
                    "session-" + host + "-" + all.size());
            new WorkerShell(spec, worker.loop("worker"), worker.env(host, 7078), processes).start();
        }

        /** Kills the worker with its children; another process with its id begins after {@code away}. */
        void crash(Duration away) {
            if (worker.alive()) {
                worker.crash();
                simulation.schedule(away, () -> {
                    worker = worker.restart();
                    start();
                });
            }
        }

        /** Kills one of the processes of this worker. */
        void crashAChild() {
            List<SimulatedProcesses.Child> alive = alive();
            if (!alive.isEmpty()) {
                alive.get(upTo(alive.size())).crash();
            }
        }

        private List<SimulatedProcesses.Child> alive() {
            return all.stream()
                    .flatMap(processes -> processes.started().stream())
                    .filter(SimulatedProcesses.Child::isAlive)
                    .toList();
        }

        int coresInUse() {
            Set<SimulatedProcesses.Child> here = new LinkedHashSet<>(alive());
            return started.values().stream()
                    .flatMap(List::stream)
                    .filter(process -> here.contains(process.child()))
                    .mapToInt(OrderedProcess::cores)
                    .sum();
        }
    }
}
