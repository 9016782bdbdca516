package dev.hearth.itests.simulation;

import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.End;
import dev.hearth.engine.internal.protocol.DriverProtocol.FailureText;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Outcome;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskEnds;
import dev.hearth.engine.internal.protocol.DriverProtocol.Value;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropShuffle;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ExecutorLost;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ForgetStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.KillTask;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StepKind;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCachedBlocks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateLocations;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Executors reduced to their connections and queues. They register, send heartbeats and run one task per core at a
 * time; a task takes a second and its result is 1. They report blocks as cached or replicated without storing them.
 * All live in one simulated process and end with it.
 */
final class ManyExecutors {
    static final int CORES = 16;

    private static final int EXECUTORS_OF_A_HOST = 4;
    private static final int FIRST_PORT = 30_000;
    private static final int NOT_KEPT = -1; // in place of a dataset
    private static final long MEMORY_BYTES = 1L << 30;
    private static final long BLOCK_BYTES = 100;
    private static final Duration COPY_TIME = Duration.ofMillis(50);
    private static final Duration TASK_TIME = Duration.ofSeconds(1);
    private static final long TASK_MORE_NANOS_MAX = 100_000_000;
    private static final TaskMetrics SECOND =
            new TaskMetrics(TASK_TIME.toNanos(), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final FailureText NO_FAILURE = new FailureText("", "", List.of(), false, "", List.of());
    private static final Value NOTHING = new Value(OptionalLong.empty(), Bytes.EMPTY, OptionalLong.empty());
    private static final Value ONE = new Value(OptionalLong.of(1), Bytes.EMPTY, OptionalLong.empty());

    private final SimulatedProcess process;
    private final EventLoop loop;
    private final EndpointUri driver;
    private final List<One> all = new ArrayList<>();
    private final Map<TemplateId, Integer> kept = new LinkedHashMap<>(); // the dataset that tasks of a stage cache
    private int registered;
    private int refused;
    private long beats;
    private long tasks;
    private long recalled;
    private long copies;
    private long places;
    private long placesBytes;

    ManyExecutors(SimulatedProcess process, EndpointUri driver) {
        this.process = process;
        this.loop = process.loop("executors");
        this.driver = driver;
    }

    /** Connects this many executors, which do not register yet. */
    void connect(int count) {
        for (int number = 0; number < count; number++) {
            RpcEnv rpc = process.env();
            int which = number;
            rpc.connect(driver.address())
                    .whenComplete((peer, failure) -> loop.inOrder(() -> all.add(new One(which, rpc, peer))));
        }
    }

    int connected() {
        return all.size();
    }

    void register() {
        all.forEach(One::register);
    }

    int registered() {
        return registered;
    }

    int refused() {
        return refused;
    }

    /** The number of heartbeats sent so far. */
    long beats() {
        return beats;
    }

    /** The number of tasks that the driver withdrew before they began. */
    long recalled() {
        return recalled;
    }

    /** The number of tasks that ran. */
    long tasks() {
        return tasks;
    }

    /** The number of blocks replicated from one executor to another. */
    long copies() {
        return copies;
    }

    /** The number of updates of map output locations that executors received. */
    long places() {
        return places;
    }

    /** The bytes of those updates, without the other parts of the messages. */
    long placesBytes() {
        return placesBytes;
    }

    /** Ends this many executors as if killed: their connections break. */
    void end(int count) {
        for (One one : List.copyOf(all.subList(0, count))) {
            one.rpc.close();
            one.ended = true;
            all.remove(one);
        }
    }

    /** A task that has not begun, and the dataset of which it caches a partition. */
    private record Waiting(long task, int partition, int dataset) {}

    /** One executor. */
    private final class One {
        private final ExecutorId id;
        private final int number;
        private final RpcEnv rpc;
        private final EndpointRef driverRef;
        private final Deque<Waiting> waiting = new ArrayDeque<>();
        private long epoch; // of the map output locations it received last
        private boolean working;
        private boolean ended;

        One(int number, RpcEnv rpc, Peer peer) {
            this.number = number;
            this.id = new ExecutorId("executor-" + number);
            this.rpc = rpc;
            this.driverRef = peer.endpoint(driver.endpoint(), DriverProtocol.PROTOCOL);
            Receiver receiver = Receiver.of(ExecutorProtocol.ENDPOINT)
                    .on(DefineStage.class, (message, from) -> define(message))
                    .on(UpdateLocations.class, (message, from) -> define(message))
                    .on(UpdateCachedBlocks.class, (message, from) -> {})
                    .on(ReplicateBlock.class, (message, from) -> copy(message))
                    .on(DropCached.class, (message, from) -> {})
                    .on(DropShuffle.class, (message, from) -> {})
                    .on(ForgetStage.class, (message, from) -> {})
                    .on(ExecutorLost.class, (message, from) -> {})
                    .on(Stop.class, (message, from) -> ended = true)
                    .on(LaunchTasks.class, (message, from) -> launch(message))
                    .on(KillTask.class, (message, from) -> kill(message))
                    .build();
            rpc.register(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL, loop, receiver);
        }

        void register() {
            String host = "host-" + number / EXECUTORS_OF_A_HOST;
            String address = host + ":" + (FIRST_PORT + number % EXECUTORS_OF_A_HOST);
            Register message = new Register(id, host, CORES, address, List.of());
            driverRef
                    .ask(message, Registration.class, ANSWER_MAX)
                    .whenComplete((answer, failure) -> loop.inOrder(() -> {
                        if (failure != null || !answer.refusal().isEmpty()) {
                            refused++;
                        } else {
                            registered++;
                            Duration interval = Duration.ofMillis(answer.heartbeatMillis());
                            long first = process.simulation().random().nextLong(interval.toNanos());
                            loop.schedule(Duration.ofNanos(first), () -> beat(interval));
                        }
                    }));
        }

        private void beat(Duration interval) {
            if (!ended) {
                beats++;
                driverRef.send(new Heartbeat(id));
                loop.schedule(interval, () -> beat(interval));
            }
        }

        private void define(DefineStage message) {
            int dataset = message.body().steps().stream()
                    .filter(step -> step.kind() == StepKind.KEEP)
                    .mapToInt(StepBody::dataset)
                    .findFirst()
                    .orElse(NOT_KEPT);
            kept.put(message.template(), dataset);
        }

        private void define(UpdateLocations message) {
            if (message.since() != 0 && message.since() != epoch) {
                throw new IllegalStateException(
                        id + ": what changed since " + message.since() + " (expected: since " + epoch + ")");
            }
            epoch = message.epoch();
            places++;
            placesBytes += message.holderOf().size();
        }

        private void copy(ReplicateBlock message) {
            loop.schedule(COPY_TIME, () -> {
                if (!ended) {
                    copies++;
                    keep(message.dataset(), message.partition());
                    driverRef.send(new BlockReplicated(id, message.dataset(), message.partition(), ""));
                }
            });
        }

        private void keep(int dataset, int partition) {
            driverRef.send(new BlockChanged(id, MEMORY_BYTES, dataset, partition, 1, BLOCK_BYTES, 0));
        }

        private void launch(LaunchTasks message) {
            int dataset = kept.getOrDefault(message.template(), NOT_KEPT);
            message.tasks().forEach(task -> waiting.add(new Waiting(task.task(), task.partition(), dataset)));
            if (!working) {
                work();
            }
        }

        private void work() {
            List<End> ends = new ArrayList<>();
            List<Waiting> keeping = new ArrayList<>();
            while (ends.size() < CORES && !waiting.isEmpty()) {
                Waiting next = waiting.remove();
                ends.add(end(next.task(), Outcome.SUCCEEDED, ONE, SECOND));
                if (next.dataset() != NOT_KEPT) {
                    keeping.add(next);
                }
            }
            working = !ends.isEmpty();
            if (working) {
                Duration more = Duration.ofNanos(process.simulation().random().nextLong(TASK_MORE_NANOS_MAX));
                loop.schedule(TASK_TIME.plus(more), () -> {
                    if (!ended) {
                        tasks += ends.size();
                        keeping.forEach(one -> keep(one.dataset(), one.partition()));
                        driverRef.send(new TaskEnds(id, ends));
                        work();
                    }
                });
            }
        }

        private void kill(KillTask message) {
            if (message.recall() && waiting.removeIf(one -> one.task() == message.task())) {
                recalled++;
                End end = end(message.task(), Outcome.RECALLED, NOTHING, TaskMetrics.NONE);
                driverRef.send(new TaskEnds(id, List.of(end)));
            }
        }
    }

    private static End end(long task, Outcome outcome, Value value, TaskMetrics metrics) {
        return new End(task, outcome, value, NO_FAILURE, Optional.empty(), metrics, List.of());
    }
}
