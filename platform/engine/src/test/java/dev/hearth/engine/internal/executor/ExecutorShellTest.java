package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.engine.internal.plan.ActionKind;
import dev.hearth.engine.internal.plan.StageTemplate;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Updates;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Define;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Launch;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.Bytes;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcScope;
import dev.hearth.spi.stream.Streams;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingApplicationLoader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** A driver that answers before the executor has turned round, and sends orders in the same breath. */
class ExecutorShellTest {
    private static final StageTemplate COUNT = new StageTemplate(List.of(), ActionKind.COUNT, Bytes.EMPTY);

    private final Simulation simulation = new Simulation(1);
    private final EventLoop loop = simulation.process("executor").loop("executor");
    private final HastyDriver driver = new HastyDriver();

    @Test
    void runsTheOrdersThatCameRightBehindTheAnswer() {
        new ExecutorShell(
                        new ExecutorOrders(
                                new ExecutorId("0"),
                                "host",
                                1,
                                EndpointUri.parse("hearth://driver-1@h:1").orElseThrow()),
                        loop,
                        driver,
                        (application, jars) -> new TestingApplicationLoader(ExecutorShellTest.class),
                        (classes, cores) -> new AtOnce(),
                        MessageBounds.NONE)
                .start();
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals(1, driver.updates.size(), "the launch behind the answer was run and reported");
    }

    /** Everything about this env is already there when it is asked for. */
    private final class HastyDriver implements RpcScope, Peer, EndpointRef {
        private final List<Updates> updates = new ArrayList<>();
        private RpcEndpoint executor = new Deaf();

        @Override
        public String name() {
            return "driver-1";
        }

        @Override
        public CompletionStage<Peer> self() {
            throw new AssertionError("not asked for by an executor");
        }

        @Override
        public EndpointRef ref(EndpointUri endpoint, Protocol protocol) {
            throw new AssertionError("not asked for by an executor");
        }

        @Override
        public Streams streams() {
            throw new AssertionError("not asked for by an executor");
        }

        @Override
        public Registration register(String endpoint, Protocol protocol, Dispatch on, RpcEndpoint receiver) {
            executor = receiver;
            return () -> {};
        }

        @Override
        public CompletionStage<Peer> connect(RpcAddress address) {
            return CompletableFuture.completedStage(this);
        }

        @Override
        public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
            assertEquals(Register.class, message.getClass());
            R registration = answer.cast(new DriverProtocol.Registration("", "app-1", List.of(), Map.of(), 10_000));
            order(new Define(TemplateId.of(COUNT), COUNT));
            order(new Launch(TemplateId.of(COUNT), List.of(new TaskLaunch(7, 0, 0, Bytes.EMPTY))));
            return new AbortableAsk<>(CompletableFuture.completedStage(registration), () -> {});
        }

        private void order(Record message) {
            loop.execute(() -> executor.receive(message, new OneWay(this)));
        }

        @Override
        public void send(Record message) {
            if (message instanceof Updates update) {
                updates.add(update);
            }
        }

        @Override
        public EndpointRef endpoint(String name, Protocol protocol) {
            return this;
        }

        @Override
        public long id() {
            return 1;
        }

        @Override
        public String remote() {
            return "h:1";
        }

        @Override
        public void close() {}
    }

    private record OneWay(Peer peer) implements RpcCall {
        @Override
        public boolean asked() {
            return false;
        }

        @Override
        public void reply(Record answer) {}

        @Override
        public void fail(ErrorCode code, String message) {
            throw new AssertionError(code + ": " + message);
        }
    }

    private static final class Deaf implements RpcEndpoint {
        @Override
        public void receive(Record message, RpcCall call) {
            throw new AssertionError("received before it was registered: " + message);
        }

        @Override
        public void peerLost(Peer peer, String reason) {}
    }

    private static final class AtOnce implements TaskThreads {
        @Override
        public void start(long task, Runnable body) {
            body.run();
        }

        @Override
        public void interrupt(long task) {}

        @Override
        public void stop() {}
    }
}
