package dev.hearth.itests.simulation;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ExecutorEntry;
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
import dev.hearth.spi.id.ApplicationId;
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
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingDriver;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Standalone cluster of production classes whose master is killed and started again, with workers, drivers and client
 * applications that outlive it. Keeps a ledger of all processes that were started. Invariants at any time: a driver has at
 * most one process, no executor is started twice, and no worker runs more than it has.
 */
final class SessionCluster {
    static final int MACHINES = 3;
    static final int CORES = 8;

    private static final int MEMORY_MEBIBYTES = 64_000;
    private static final int DRIVER_MEBIBYTES = 1_024;
    private static final int EXECUTOR_MEBIBYTES = 1_024;
    private static final Settings ONE_CORE = Settings.empty().with("test", "hearth.executor.cores", "1");

    private final Simulation simulation;
    private final Masters masters;
    private final MasterUrl url;
    private final List<Machine> machines = new ArrayList<>();
    private final List<Program> programs = new ArrayList<>();
    private final List<Submission> submissions = new ArrayList<>();
    private final ProcessLedger ledger;
    private final Set<ApplicationId> applications = new LinkedHashSet<>(); // that were ever given
    private final ObeyedMasters obeyed;

    /** Creates a cluster of one master at a time, each of which recovers the facts of the one before if {@code recovers}. */
    SessionCluster(long seed, boolean recovers) {
        this(seed, simulation -> new LoneMaster(simulation, recovers));
    }

    /** Creates a cluster of {@code masters}. */
    SessionCluster(long seed, Function<Simulation, Masters> masters) {
        simulation = new Simulation(seed, new WireRoundTrip()::copy);
        this.masters = masters.apply(simulation);
        url = MasterUrl.parse("hearth://"
                + this.masters.addresses().stream().map(RpcAddress::toString).collect(Collectors.joining(",")));
        ledger = new ProcessLedger(simulation);
        obeyed = new ObeyedMasters(simulation, this.masters);
        simulation.network().watch(obeyed);
        for (int number = 0; number < MACHINES; number++) {
            Machine machine = new Machine("10.0.0." + (number + 1));
            machines.add(machine);
            machine.start();
        }
    }

    /** Kills the master that leads, and starts its process again after {@code away}. What was not durable is lost. */
    void crashMaster(Duration away) {
        masters.crashLeader(away);
    }

    /** Suspends the master that leads. When it goes on, connections end, whose clients look for a master. */
    void pauseMaster(Duration time) {
        masters.pauseLeader(time);
        for (int i = 0; i < MACHINES; i++) {
            simulation.schedule(time.plusMillis(upTo(2_000)), this::flicker);
        }
    }

    Simulation simulation() {
        return simulation;
    }

    Masters masters() {
        return masters;
    }

    ProcessLedger ledger() {
        return ledger;
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

    private MasterShell shell() {
        return masters.leading().orElseThrow();
    }

    int coresFree() {
        return shell().coresFree();
    }

    int applications() {
        return shell().applications();
    }

    /** The drivers and executors that the leader takes for running, with their workers, in the order of their names. */
    List<String> listed() {
        ClusterView view = shell().view();
        List<String> names = new ArrayList<>();
        view.drivers()
                .thenAccept(found -> found.entries().stream()
                        .filter(driver -> driver.state() == SubmissionState.RUNNING)
                        .forEach(driver -> names.add(driver.id() + " on " + driver.worker())));
        view.executors(Optional.empty())
                .thenAccept(found -> found.entries().stream()
                        .filter(executor -> executor.state() == ExecutorEntry.State.RUNNING)
                        .forEach(executor ->
                                names.add(executor.application() + "/" + executor.id() + " on " + executor.worker())));
        simulation.runFor(Duration.ofMillis(1));
        names.sort(null);
        return names;
    }

    /** Lets the connections between the master and a random machine or application end, and come back soon. */
    void flicker() {
        SimulatedProcess one = upTo(2) == 0 || programs.isEmpty()
                ? machines.get(upTo(MACHINES)).worker
                : programs.get(upTo(programs.size())).process;
        SimulatedProcess other = masters.leader();
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

    private void run(Machine machine, ChildSpec spec, SimulatedProcesses.Child child) {
        if (spec.role().equals("driver")) {
            String id = spec.orders().getOrDefault("hearth.submission.id", "");
            ledger.began(id, child, machine.capacity, 1, DRIVER_MEBIBYTES);
            new Program(child.process(), Settings.empty().with("orders", spec.orders())).open(1);
            return;
        }
        String name = spec.directory().getParent().getFileName() + "/"
                + spec.directory().getFileName();
        int cores = ExecutorOrders.from(spec.orders()).cores();
        ledger.began(name, child, machine.capacity, cores, EXECUTOR_MEBIBYTES);
        simulation.require("executor " + name + " is started once", () -> ledger.starts(name) == 1);
        String driver = ExecutorOrders.from(spec.orders()).driver().endpoint();
        programs.stream()
                .filter(program -> program.name.equals(driver))
                .findFirst()
                .ifPresentOrElse(program -> program.run(child), () -> child.exitWith(1));
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
                    .open(new ApplicationSpec(name, settings), url, this)
                    .whenComplete((open, refusal) -> {
                        if (refusal == null) {
                            backend = open;
                            simulation.require(
                                    open.application() + " is given once", () -> applications.add(open.application()));
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
        private boolean isGivenUp;

        private Submission(boolean supervise) {
            this.supervise = supervise;
        }

        private void begin() {
            SubmissionPlan plan = SubmissionPlan.builder("d", "x.D")
                    .add(SubmissionResource.Kind.APPLICATION_JAR, "/x.jar")
                    .settings(Settings.empty().with("test", "hearth.driver.supervise", String.valueOf(supervise)))
                    .build();
            loop.execute(() -> new StandaloneSubmitter(
                            url, new TestingSubmissionServices(process.env(), loop, Settings.empty()))
                    .submit(plan, request, this)
                    .whenComplete((accepted, failure) -> id = accepted));
        }

        boolean isSupervised() {
            return supervise;
        }

        /** Whether the submitter has given up, because no master has returned in time. */
        boolean isGivenUp() {
            return isGivenUp;
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
            id().flatMap(known -> ledger.running(known.value())).ifPresent(child -> child.exitWith(status));
        }

        @Override
        public void changed(SubmissionStatus status) {
            heard.add(status);
        }

        /** {@inheritDoc} A submitter gives up after 30 s without a master. */
        @Override
        public void lost(String reason) {
            isGivenUp = true;
            boolean mayBe = masters.leading().isEmpty() || masters.log().isEmpty();
            simulation.schedule(
                    Duration.ZERO,
                    () -> simulation.require("submitter of " + id + " waits for the end: " + reason, () -> mayBe));
        }
    }

    /** A machine with its worker, which is started again after a crash. */
    final class Machine {
        private final String host;
        private final ProcessLedger.Capacity capacity;
        private final List<SimulatedProcesses> all = new ArrayList<>();
        private SimulatedProcess worker;

        Machine(String host) {
            this.host = host;
            this.worker = simulation.process("worker@" + host);
            this.capacity = new ProcessLedger.Capacity(workerId(), CORES, MEMORY_MEBIBYTES);
        }

        private String workerId() {
            return "worker-" + host;
        }

        private void start() {
            worker.skew(Duration.ZERO, upTo(100_000) - 50_000);
            SimulatedProcess present = worker;
            SimulatedProcesses processes = new SimulatedProcesses(worker, (order, child) -> run(this, order, child))
                    .observedBy(() -> obeyed.obeys(present));
            all.add(processes);
            WorkerSpec spec = new WorkerSpec(
                    workerId(),
                    new RpcAddress(host, 7078),
                    CORES,
                    MEMORY_MEBIBYTES,
                    Path.of("work"),
                    OutputFiles.DEFAULTS,
                    CleanupSettings.DEFAULTS,
                    masters.addresses(),
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
    }
}
