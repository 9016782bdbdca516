package dev.hearth.itests.simulation;

import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Standalone cluster with supervised drivers, whose processes fail, whose workers are lost, cut off or stopped, and which
 * users kill. A ledger of all driver processes shows when two of one driver run at once.
 */
final class SupervisionCluster {
    private static final int MACHINES = 3;
    private static final int CORES = 8;
    private static final RpcAddress MASTER = new RpcAddress("127.0.0.1", 7077);
    private static final Duration ASK = Duration.ofSeconds(5);
    private static final Duration STOP_MAX = Duration.ofSeconds(10);
    private static final int FAULT_MILLIS_MAX = 240_000;

    private final Simulation simulation;
    private final Optional<SimulatedFactLog> log; // of masters that recover
    private SimulatedProcess master;
    private MasterShell masterShell;
    private final List<Machine> machines = new ArrayList<>();
    private final List<Submission> submissions = new ArrayList<>();
    private final Map<String, List<Attempt>> ledger = new LinkedHashMap<>(); // by submission
    private int applications;
    private boolean endless; // drivers end only when something ends them
    private boolean calm; // drivers end with success, and nothing fails

    SupervisionCluster(long seed) {
        this(seed, false);
    }

    /** Creates a cluster whose master remembers everything over a restart, if {@code recovers} is set. */
    SupervisionCluster(long seed, boolean recovers) {
        simulation = new Simulation(seed, new WireRoundTrip()::copy);
        master = simulation.process("master");
        log = recovers ? Optional.of(new SimulatedFactLog(simulation, MasterSettings.DEFAULTS)) : Optional.empty();
        masterShell = lead();
        for (int number = 0; number < MACHINES; number++) {
            Machine machine = new Machine("10.0.0." + (number + 1));
            machines.add(machine);
            machine.start();
        }
        simulation.always("at most one process of each driver", this::hasNoTwins);
    }

    private MasterShell lead() {
        EventLoop loop = master.loop("master");
        MasterShell shell = new MasterShell(
                MasterSettings.DEFAULTS,
                loop,
                master.env(MASTER.host(), MASTER.port()),
                UploadDesk.NONE,
                log.map(kept -> kept.recover(master.ticker().wall())));
        shell.start();
        return shell;
    }

    /** Kills the master, and starts it again later. What was not durable is lost. */
    void crashMaster() {
        if (!master.alive()) {
            return;
        }
        master.crash();
        log.orElseThrow().crash();
        after(1 + upTo(5_000), () -> {
            master = master.restart();
            masterShell = lead();
        });
    }

    /** Number of masters that have led. */
    long epoch() {
        return log.orElseThrow().epoch();
    }

    /** Whether the facts of the log lead to what the master has now. */
    boolean isRemembered() {
        return log.orElseThrow().replays();
    }

    /** Start of a driver: its number, and its process. */
    private record Attempt(int number, SimulatedProcesses.Child child) {}

    private boolean hasNoTwins() {
        return ledger.values().stream()
                .allMatch(attempts -> attempts.stream()
                                .filter(attempt -> attempt.child().isAlive())
                                .count()
                        <= 1);
    }

    Simulation simulation() {
        return simulation;
    }

    List<Submission> submissions() {
        return submissions;
    }

    int upTo(int most) {
        return simulation.random().nextInt(most);
    }

    private void after(int millis, Runnable action) {
        simulation.schedule(Duration.ofMillis(millis), action);
    }

    /** Lets drivers run until something ends them. */
    SupervisionCluster withEndlessDrivers() {
        endless = true;
        return this;
    }

    /** Submits a driver, which is supervised and starts again at most {@code restartsMax} times after failures, if set. */
    Submission submit(boolean supervise, OptionalInt restartsMax) {
        Submission submission = new Submission(supervise, restartsMax);
        submissions.add(submission);
        submission.begin();
        return submission;
    }

    /** Lets everything happen for some minutes, then heals all faults and waits until all drivers must have ended. */
    void storm() {
        for (int i = 0; i < 12; i++) {
            after(upTo(FAULT_MILLIS_MAX), this::crashADriver);
        }
        for (int i = 0; i < 4; i++) {
            Machine machine = machines.get(upTo(MACHINES));
            after(upTo(FAULT_MILLIS_MAX), machine::crash);
            after(upTo(FAULT_MILLIS_MAX), machines.get(upTo(MACHINES))::partForAWhile);
        }
        after(upTo(FAULT_MILLIS_MAX), machines.get(upTo(MACHINES))::stop);
        after(upTo(FAULT_MILLIS_MAX), machines.get(upTo(MACHINES))::cutOff);
        if (upTo(2) == 0) {
            after(upTo(FAULT_MILLIS_MAX), () -> master.pauseFor(Duration.ofMillis(upTo(25_000))));
        }
        simulation.runFor(Duration.ofMillis(FAULT_MILLIS_MAX));
        calm = true;
        simulation.network().healAll();
        simulation.runFor(Duration.ofMinutes(6));
    }

    private void crashADriver() {
        List<Attempt> alive = ledger.values().stream()
                .flatMap(List::stream)
                .filter(attempt -> attempt.child().isAlive())
                .toList();
        if (!alive.isEmpty()) {
            alive.get(upTo(alive.size())).child().crash();
        }
    }

    /** Whether every core was given back, and no process runs. */
    boolean isQuiet() {
        return masterShell.applications() == 0
                && masterShell.coresFree() == MACHINES * CORES
                && machines.stream()
                        .flatMap(machine -> machine.all.stream())
                        .flatMap(processes -> processes.started().stream())
                        .noneMatch(SimulatedProcesses.Child::isAlive);
    }

    /** Numbers of the starts of a driver, in order. */
    List<Integer> attempts(SubmissionId id) {
        return ledger.getOrDefault(id.value(), List.of()).stream()
                .map(Attempt::number)
                .toList();
    }

    /** The process of a driver that runs; empty if none does. */
    Optional<SimulatedProcesses.Child> running(SubmissionId id) {
        return ledger.getOrDefault(id.value(), List.of()).stream()
                .map(Attempt::child)
                .filter(SimulatedProcesses.Child::isAlive)
                .findFirst();
    }

    /** The machine on which {@code child} was started. */
    Machine machineOf(SimulatedProcesses.Child child) {
        return machines.stream()
                .filter(machine -> machine.all.stream()
                        .anyMatch(processes -> processes.started().contains(child)))
                .findFirst()
                .orElseThrow();
    }

    private void run(ChildSpec spec, SimulatedProcesses.Child child) {
        if (!spec.role().equals("driver")) {
            return; // an executor runs until it is stopped
        }
        int number = Integer.parseInt(spec.orders().getOrDefault("hearth.submission.attempt", "0"));
        String id = spec.orders().getOrDefault("hearth.submission.id", "");
        ledger.computeIfAbsent(id, first -> new ArrayList<>()).add(new Attempt(number, child));
        if (upTo(3) > 0) {
            after(upTo(2_000), () -> register(child, id, number));
        }
        if (endless) {
            return;
        }
        int millis = upTo(2) == 0 ? upTo(5_000) : upTo(120_000);
        after(calm ? upTo(2_000) : millis, () -> end(child));
    }

    private void end(SimulatedProcesses.Child child) {
        child.exitWith(calm || upTo(4) == 0 ? 0 : 1);
    }

    /** Registers an application of the driver {@code id}, which wants one executor. */
    private void register(SimulatedProcesses.Child child, String id, int number) {
        if (!child.isAlive()) {
            return;
        }
        SimulatedProcess process = child.process();
        String name = "application-" + applications++;
        Receiver receiver = Receiver.of(name)
                .on(ExecutorGranted.class, (message, peer) -> {})
                .on(ExecutorGone.class, (message, peer) -> {})
                .on(ApplicationRemoved.class, (message, peer) -> end(child))
                .on(ExecutorsUnplaceable.class, (message, peer) -> {})
                .onPeerLost((peer, reason) -> end(child))
                .build();
        var env = process.env();
        env.register(name, ApplicationProtocol.PROTOCOL, process.loop(name), receiver);
        RegisterApplication message = new RegisterApplication(
                name,
                name,
                "hearth://driver-1@h:1",
                OptionalInt.empty(),
                OptionalInt.of(1),
                100,
                Map.of(),
                Map.of(),
                "",
                Optional.of(new SubmissionId(id)),
                number);
        env.connect(MASTER).whenComplete((peer, failure) -> {
            if (failure == null) {
                var ref = peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL);
                ref.ask(message, ApplicationRegistered.class, ASK).whenComplete((answer, refusal) -> {
                    if (refusal == null) {
                        ref.send(new WantExecutors(answer.application(), 1, List.of(), Map.of()));
                    } else {
                        end(child);
                    }
                });
            }
        });
    }

    /** One submission, and the reports that its submitter receives. */
    final class Submission implements SubmissionListener {
        private final boolean supervise;
        private final OptionalInt restartsMax;
        private final SimulatedProcess process = simulation.process("submitter-" + submissions.size());
        private final EventLoop loop = process.loop("submitter");
        private final String request = "request-" + submissions.size();
        private final List<SubmissionStatus> heard = new ArrayList<>();
        private @Nullable SubmissionId id;
        private boolean killed;

        private Submission(boolean supervise, OptionalInt restartsMax) {
            this.supervise = supervise;
            this.restartsMax = restartsMax;
        }

        private void begin() {
            Map<String, String> settings = new LinkedHashMap<>();
            if (supervise) {
                settings.put("hearth.driver.supervise", "true");
                restartsMax.ifPresent(
                        most -> settings.put("hearth.driver.supervise.maxRestarts", String.valueOf(most)));
            }
            SubmissionPlan plan = SubmissionPlan.builder("d", "x.D")
                    .add(SubmissionResource.Kind.APPLICATION_JAR, "/x.jar")
                    .settings(Settings.empty().with("test", settings))
                    .build();
            loop.execute(() -> new StandaloneSubmitter(MasterUrl.parse("hearth://" + MASTER), services())
                    .submit(plan, request, this)
                    .whenComplete((accepted, failure) -> id = accepted));
        }

        private SubmissionServices services() {
            return new TestingSubmissionServices(process.env(), loop, Settings.empty());
        }

        /** Kills the driver as a user does. */
        void kill() {
            SubmissionId known = id;
            if (known != null) {
                loop.execute(() -> new StandaloneSubmitter(MasterUrl.parse("hearth://" + MASTER), services())
                        .kill(known)
                        .whenComplete((before, failure) ->
                                killed |= failure == null && !before.state().isFinal()));
            }
        }

        boolean isSupervised() {
            return supervise;
        }

        OptionalInt restartsMax() {
            return restartsMax;
        }

        SubmissionId id() {
            return Objects.requireNonNull(id);
        }

        /** Whether a kill was accepted before the end of the driver. */
        boolean isKilled() {
            return killed;
        }

        List<SubmissionState> states() {
            return heard.stream().map(SubmissionStatus::state).toList();
        }

        SubmissionStatus last() {
            return heard.get(heard.size() - 1);
        }

        @Override
        public void changed(SubmissionStatus status) {
            heard.add(status);
        }

        /** Whether the submitter has got an id. */
        boolean isAccepted() {
            return id != null;
        }

        @Override
        public void lost(String reason) {
            simulation.require("submitter of " + id + " hears of the end: " + reason, () -> false);
        }
    }

    /** A machine with its worker, which is started again after a crash. */
    final class Machine {
        private final String host;
        private final List<SimulatedProcesses> all = new ArrayList<>();
        private SimulatedProcess worker;
        private @Nullable WorkerShell shell;

        Machine(String host) {
            this.host = host;
            this.worker = simulation.process("worker@" + host);
        }

        private void start() {
            worker.skew(Duration.ZERO, upTo(100_000) - 50_000);
            SimulatedProcesses processes =
                    new SimulatedProcesses(worker, SupervisionCluster.this::run).stoppingWithin(STOP_MAX);
            all.add(processes);
            WorkerSpec spec = new WorkerSpec(
                    "worker-" + host + "-" + all.size(),
                    new RpcAddress(host, 7078),
                    CORES,
                    64_000,
                    Path.of("work"),
                    OutputFiles.DEFAULTS,
                    CleanupSettings.DEFAULTS,
                    List.of(MASTER),
                    WorkerSpec.Children.DEFAULTS);
            shell = new WorkerShell(spec, worker.loop("worker"), worker.env(host, 7078), processes);
            shell.start();
        }

        /** Kills the worker with its children, and starts another one later. */
        void crash() {
            if (worker.alive()) {
                worker.crash();
                after(upTo(20_000), this::restart);
            }
        }

        private void restart() {
            if (!worker.alive()) {
                worker = worker.restart();
                start();
            }
        }

        /** Stops the worker as its script does, and starts another one later. */
        void stop() {
            SimulatedProcess stopping = worker;
            if (worker.alive() && shell != null) {
                shell.stop()
                        .thenRun(() -> after(100, () -> {
                            stopping.crash();
                            after(upTo(20_000), this::restart);
                        }));
            }
        }

        /** Parts the worker from the master silently, in one direction or both, and heals that later. */
        void partForAWhile() {
            SimulatedProcess parted = worker;
            part();
            after(1 + upTo(200_000), () -> simulation.network().heal(parted, master));
        }

        /** Parts the worker from the master silently, in one direction or both. */
        void part() {
            SimulatedProcess parted = worker;
            switch (upTo(3)) {
                case 0 -> simulation.network().mute(parted, master);
                case 1 -> simulation.network().mute(master, parted);
                default -> simulation.network().part(parted, master);
            }
        }

        /** Breaks the connection to the master, and refuses others for a while. */
        void cutOff() {
            SimulatedProcess cut = worker;
            simulation.network().cut(cut, master);
            after(1 + upTo(30_000), () -> simulation.network().heal(cut, master));
        }
    }
}
