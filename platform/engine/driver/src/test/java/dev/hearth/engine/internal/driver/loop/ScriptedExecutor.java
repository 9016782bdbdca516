package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.End;
import dev.hearth.engine.internal.protocol.DriverProtocol.FailureText;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Outcome;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskEnds;
import dev.hearth.engine.internal.protocol.DriverProtocol.Value;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Executor scripted by a test: records the orders of its driver, and sends the messages that the test asks for. In a
 * process of its own.
 */
final class ScriptedExecutor implements RpcEndpoint {
    private static final Duration ANSWER_MAX = Duration.ofSeconds(30);
    private static final int CORES = 1;
    private static final FailureText NO_FAILURE = new FailureText("", "", List.of(), false, "", List.of());
    private static final Value ONE = new Value(OptionalLong.of(1), Bytes.EMPTY, OptionalLong.empty());

    final ExecutorId id;
    final SimulatedProcess process;
    private final EndpointUri driver;
    private final List<Record> orders = new ArrayList<>();
    private @Nullable EndpointRef ref;
    private String refusal = "not answered";

    ScriptedExecutor(SimulatedProcess process, EndpointUri driver) {
        this.id = new ExecutorId(process.name());
        this.process = process;
        this.driver = driver;
    }

    /** Connects without registering. */
    ScriptedExecutor connect() {
        EventLoop loop = process.loop("executor");
        RpcEnv rpc = process.env();
        rpc.register(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL, loop, this);
        rpc.connect(driver.address()).whenComplete((peer, failure) -> {
            ref = peer.endpoint(driver.endpoint(), DriverProtocol.PROTOCOL);
        });
        process.simulation().runFor(Duration.ofSeconds(1));
        return this;
    }

    /** Connects and registers. */
    ScriptedExecutor register() {
        return register("");
    }

    /** Connects and registers as an executor that serves its blocks at this host and port. */
    ScriptedExecutor register(String blocks) {
        connect();
        ask(new Register(id, "host-" + id, CORES, blocks, List.of()), Registration.class)
                .whenComplete(
                        (answer, failure) -> refusal = answer == null ? String.valueOf(failure) : answer.refusal());
        process.simulation().runFor(Duration.ofSeconds(1));
        return this;
    }

    /** The reason of a refused registration; empty if admitted. */
    String refusal() {
        return refusal;
    }

    <R extends Record> CompletionStage<R> ask(Record question, Class<R> answer) {
        return driver().ask(question, answer, ANSWER_MAX);
    }

    void beat() {
        driver().send(new Heartbeat(id));
    }

    /** The orders of one type since the start or the last call. */
    <M extends Record> List<M> orders(Class<M> kind) {
        return orders.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    /** The tasks of these stages that were launched since the last call. */
    private List<Long> takeTasks(IntPredicate stage) {
        List<LaunchTasks> launches = orders(LaunchTasks.class).stream()
                .filter(launch -> stage.test(launch.stage()))
                .toList();
        orders.removeAll(launches);
        return launches.stream()
                .flatMap(launch -> launch.tasks().stream())
                .map(TaskLaunch::task)
                .toList();
    }

    private void succeed(long task) {
        End end = new End(task, Outcome.SUCCEEDED, ONE, NO_FAILURE, Optional.empty(), TaskMetrics.NONE, List.of());
        driver().send(new TaskEnds(id, List.of(end)));
    }

    /** Completes all launched tasks, until no more are launched. */
    void succeedAll() {
        succeedAll(stage -> true);
    }

    /** As {@link #succeedAll()}, for tasks of one stage. */
    void succeedAll(int stage) {
        succeedAll(requested -> requested == stage);
    }

    private void succeedAll(IntPredicate stage) {
        for (List<Long> tasks = takeTasks(stage); !tasks.isEmpty(); tasks = takeTasks(stage)) {
            tasks.forEach(this::succeed);
            process.simulation().runFor(Duration.ofSeconds(1));
        }
    }

    /** Reports the end of a task that may never have been launched. */
    void succeedUnasked() {
        succeed(0);
    }

    private EndpointRef driver() {
        EndpointRef known = ref;
        if (known == null) {
            throw new AssertionError(id + " is not connected");
        }
        return known;
    }

    @Override
    public void receive(Record message, RpcCall call) {
        orders.add(message);
    }

    @Override
    public void peerLost(Peer peer, String reason) {}
}
