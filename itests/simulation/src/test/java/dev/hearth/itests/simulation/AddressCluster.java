package dev.hearth.itests.simulation;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.rpc.internal.codec.WireRoundTrip;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.CleanupSettings;
import dev.hearth.spi.process.OutputFiles;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.MasterShell;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGone;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorGranted;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ExecutorsUnplaceable;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ApplicationRegistered;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverSubmitted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.worker.WorkerShell;
import dev.hearth.standalone.internal.worker.WorkerSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A standalone cluster whose machines have GPUs, with applications and drivers that need some. Applications come, ask, go
 * and lose their connections; processes exit; workers crash and come back; the master restarts. Fails when two live
 * processes of one machine hold the same address.
 */
final class AddressCluster {
    static final int MACHINES = 3;
    static final int GPUS = 4; // of each machine

    private static final RpcAddress MASTER = new RpcAddress("127.0.0.1", 7077);
    private static final Duration ASK = Duration.ofSeconds(5);
    private static final int FAULT_MILLIS_MAX = 20_000;

    private final long seed;
    private final Simulation simulation;
    private final List<Machine> machines = new ArrayList<>();
    private SimulatedProcess master;
    private int applications;
    private int requests;
    private boolean calm; // processes end no more by themselves, and nothing fails

    AddressCluster(long seed) {
        this.seed = seed;
        this.simulation = new Simulation(seed, new WireRoundTrip()::copy);
        this.master = simulation.process("master");
        startMaster();
        for (int number = 0; number < MACHINES; number++) {
            Machine machine = new Machine("10.0.0." + (number + 1));
            machines.add(machine);
            machine.start();
        }
    }

    private void startMaster() {
        new MasterShell(MasterSettings.DEFAULTS, master.loop("master"), master.env(MASTER.host(), MASTER.port()))
                .start();
    }

    private int upTo(int most) {
        return simulation.random().nextInt(most);
    }

    private void after(int millis, Runnable action) {
        simulation.schedule(Duration.ofMillis(millis), action);
    }

    /** Lets everything happen for a while, then ends all applications and lets the cluster settle. */
    void storm() {
        for (int i = 0; i < 12; i++) {
            after(upTo(FAULT_MILLIS_MAX), () -> new Application(1 + upTo(2)).begin());
        }
        for (int i = 0; i < 8; i++) {
            after(upTo(FAULT_MILLIS_MAX), this::submit);
        }
        for (int i = 0; i < 4; i++) {
            after(upTo(FAULT_MILLIS_MAX), machines.get(upTo(MACHINES))::crash);
        }
        if (upTo(2) == 0) {
            after(upTo(FAULT_MILLIS_MAX), () -> {
                master.crash();
                after(upTo(3_000), () -> {
                    master = master.restart();
                    startMaster();
                });
            });
        }
        simulation.runFor(Duration.ofMinutes(4));
    }

    /** Lets one application take every address, after the storm. Returns how many it got. */
    int takeAll() {
        calm = true;
        new Application(1).begin();
        simulation.runFor(Duration.ofMinutes(1));
        return machines.stream().mapToInt(machine -> machine.held().size()).sum();
    }

    private void submit() {
        SimulatedProcess process = simulation.process("submitter-" + requests);
        DriverSpec spec = new DriverSpec("d", "x.D", "/x.jar", List.of(), Map.of(), 1, 100)
                .but()
                .addresses(Map.of("gpu", 1 + upTo(2)))
                .build();
        SubmitDriver message = new SubmitDriver("request-" + requests++, spec, "");
        process.env().connect(MASTER).whenComplete((peer, failure) -> {
            if (failure == null) {
                peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL)
                        .ask(message, DriverSubmitted.class, ASK);
            }
        });
    }

    /** A machine with its worker, which outlives no crash. */
    private final class Machine implements ProcessLauncher {
        private final String host;
        private final Map<SimulatedProcesses.Child, List<String>> addresses = new LinkedHashMap<>();
        private SimulatedProcess worker;
        private @Nullable SimulatedProcesses processes;

        Machine(String host) {
            this.host = host;
            this.worker = simulation.process("worker@" + host);
        }

        void start() {
            processes = new SimulatedProcesses(worker, (spec, child) -> {
                if (!calm) {
                    after(50 + upTo(6_000), () -> {
                        if (!calm) {
                            child.exitWith(upTo(2));
                        }
                    });
                }
            });
            List<String> gpus =
                    IntStream.range(0, GPUS).mapToObj(String::valueOf).toList();
            WorkerSpec spec = new WorkerSpec(
                    "worker-" + host + "-" + simulation.ticker().nanos(),
                    new RpcAddress(host, 7078),
                    64,
                    64_000,
                    Path.of("work"),
                    OutputFiles.DEFAULTS,
                    CleanupSettings.DEFAULTS,
                    List.of(MASTER),
                    WorkerSpec.Children.DEFAULTS,
                    List.of(new ResourceInformation("gpu", gpus)));
            new WorkerShell(spec, worker.loop("worker"), worker.env(host, 7078), this).start();
        }

        void crash() {
            if (worker.alive()) {
                worker.crash();
                after(upTo(5_000), () -> {
                    worker = worker.restart();
                    start();
                });
            }
        }

        Set<String> held() {
            Set<String> held = new LinkedHashSet<>();
            addresses.forEach((child, own) -> held.addAll(child.isAlive() ? own : List.of()));
            return held;
        }

        @Override
        public ChildProcess start(ChildSpec spec) {
            String given = spec.orders().get("hearth." + spec.role() + ".resource.gpu.addresses");
            List<String> own = given == null ? List.of() : List.of(given.split(","));
            for (String address : own) {
                if (held().contains(address)) {
                    throw new AssertionError("seed " + seed + ": address " + address + " of " + host + " given to "
                            + spec + " while another process has it");
                }
            }
            if (own.isEmpty()) {
                throw new AssertionError("seed " + seed + ": no address for " + spec);
            }
            SimulatedProcesses.Child child = processes.start(spec);
            addresses.put(child, own);
            return child;
        }

        @Override
        public CompletionStage<List<String>> removeEnded(Path directory, Instant before) {
            return processes.removeEnded(directory, before);
        }
    }

    /** The driver of an application, as far as the master sees it. */
    private final class Application {
        private final int gpus;
        private final String name = "application-" + applications++;
        private final SimulatedProcess process = simulation.process(name);
        private final List<ExecutorId> executors = new ArrayList<>();

        Application(int gpus) {
            this.gpus = gpus;
        }

        void begin() {
            RpcEnv env = process.env();
            Receiver receiver = Receiver.of(name)
                    .on(ExecutorGranted.class, (message, peer) -> executors.add(message.executor()))
                    .on(ExecutorGone.class, (message, peer) -> executors.remove(message.executor()))
                    .on(ApplicationRemoved.class, (message, peer) -> peer.close())
                    .on(ExecutorsUnplaceable.class, (message, peer) -> {})
                    .onPeerLost((peer, reason) -> {})
                    .build();
            env.register(name, ApplicationProtocol.PROTOCOL, process.loop(name), receiver);
            env.connect(MASTER).whenComplete((peer, failure) -> {
                if (failure == null) {
                    register(peer);
                }
            });
        }

        private void register(Peer peer) {
            EndpointRef ref = peer.endpoint(MasterProtocol.ENDPOINT, MasterProtocol.PROTOCOL);
            RegisterApplication message = new RegisterApplication(
                    name,
                    name,
                    "hearth://driver-1@h:1",
                    OptionalInt.empty(),
                    OptionalInt.of(1),
                    100,
                    Map.of(),
                    Map.of("gpu", gpus));
            ref.ask(message, ApplicationRegistered.class, ASK).whenComplete((answer, failure) -> {
                if (failure == null) {
                    run(peer, ref, answer.application());
                }
            });
        }

        private void run(Peer peer, EndpointRef ref, ApplicationId id) {
            ref.send(new WantExecutors(id, calm ? 1_000 : 1 + upTo(8), List.of(), Map.of()));
            for (int i = 0; !calm && i < 5; i++) {
                after(upTo(8_000), () -> {
                    ref.send(new ReleaseExecutors(id, List.copyOf(executors), "idle"));
                    ref.send(new WantExecutors(id, upTo(8), List.of(), Map.of()));
                });
            }
            if (!calm) {
                after(8_000 + upTo(4_000), () -> {
                    switch (upTo(3)) {
                        case 0 -> peer.close();
                        case 1 -> process.crash();
                        default -> ref.send(new EndApplication(id, "FINISHED"));
                    }
                });
            }
        }
    }
}
