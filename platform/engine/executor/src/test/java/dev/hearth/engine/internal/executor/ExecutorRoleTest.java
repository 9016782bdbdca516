package dev.hearth.engine.internal.executor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StageBody;
import dev.hearth.engine.internal.protocol.StageMessages;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSource;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.testkit.OneWayCall;
import dev.hearth.testkit.TestingRpcEnv;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An executor on a loop of its own with a driver played by the test: it ends completely, whatever ends it. */
@Timeout(60)
class ExecutorRoleTest {
    private static final long PATIENCE_SECONDS = 30;
    private static final int SHUFFLE = 7;

    private final Queue<String> happened = new ConcurrentLinkedQueue<>();
    private final Queue<RpcSettings.Listen> listening = new ConcurrentLinkedQueue<>();
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    private final PlayedDriver driver = new PlayedDriver();
    private final ExecutorRole role = new ExecutorRole(
            settings -> {
                listening.add(settings.listen().orElseThrow());
                return driver;
            },
            new Loaders(),
            FileStoreRegistry.of(List::of));

    private CompletableFuture<ExitStatus> start() throws Exception {
        return start(new ExecutorOrders(
                new ExecutorId("0"),
                "127.0.0.1",
                1,
                EndpointUri.parse("hearth://driver-1@h:1").orElseThrow()));
    }

    private CompletableFuture<ExitStatus> start(ExecutorOrders orders) throws Exception {
        PrintStream err = new PrintStream(errors, true, StandardCharsets.UTF_8);
        RoleLaunch launch = new RoleLaunch(Path.of(""), List.of(), orders.asMap(), Settings.empty(), err, err);
        CompletableFuture<ExitStatus> ended = new CompletableFuture<>();
        Thread main = new Thread(
                () -> {
                    try {
                        ended.complete(role.run(launch));
                    } catch (Throwable failure) {
                        ended.completeExceptionally(failure);
                    }
                },
                "role");
        main.setDaemon(true);
        main.start();
        CompletableFuture.anyOf(ready, ended).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        return ended;
    }

    private ExitStatus end(CompletableFuture<ExitStatus> ended) throws Exception {
        return ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Test
    void endsCompletelyBeforeItsLoopWhenTheProcessIsStopped() throws Exception {
        CompletableFuture<ExitStatus> ended = start();
        role.stop();
        assertEquals(ExitStatus.of(ExitCode.TERMINATED), end(ended));
        assertEquals("", errors.toString(StandardCharsets.UTF_8), "an end that was ordered is no error");
        assertEquals(List.of("closed the class loader", "disconnected", "closed the port"), List.copyOf(happened));
    }

    @Test
    void listensAtItsAddressAndRegistersWithItsHost() throws Exception {
        EndpointUri uri = EndpointUri.parse("hearth://driver-1@h:1").orElseThrow();
        CompletableFuture<ExitStatus> ended =
                start(new ExecutorOrders(new ExecutorId("0"), "node-7", 1, uri, "127.0.0.9"));
        role.stop();
        assertEquals(ExitStatus.of(ExitCode.TERMINATED), end(ended));
        assertEquals(List.of(new RpcSettings.Listen("127.0.0.9", 0, "127.0.0.9", 0)), List.copyOf(listening));
        assertEquals(List.of("node-7"), List.copyOf(driver.registeredHosts));
    }

    @Test
    void isNoErrorWhereTheApplicationHasJustEnded() throws Exception {
        driver.refusal = DriverProtocol.Registration.APPLICATION_ENDED;
        assertEquals(ExitStatus.of(ExitCode.OK), end(start()));
        assertEquals("", errors.toString(StandardCharsets.UTF_8));
    }

    @Test
    void saysWhyTheDriverRefusedIt() throws Exception {
        driver.refusal = "5 executors are registered already (expected: at most that many, from hearth.executor.max)";
        assertEquals(ExitStatus.of(ExitCode.REFUSED), end(start()));
        assertEquals(
                "error: driver refused executor 0: " + driver.refusal + "\n", errors.toString(StandardCharsets.UTF_8));
    }

    @Test
    void endsForAnOrderThatItFailsAt() throws Exception {
        CompletableFuture<ExitStatus> ended = start();
        driver.order(defineStage(1));
        assertFalse(ended.isDone());
        driver.order(defineStage(2)); // the same shuffle with another number of reducers
        assertEquals(ExitStatus.of(ExitCode.UNCAUGHT), end(ended));
        String told = errors.toString(StandardCharsets.UTF_8);
        assertTrue(told.contains("shuffle " + SHUFFLE) && told.contains("report it with the log"), told);
        assertEquals(List.of("closed the class loader", "disconnected", "closed the port"), List.copyOf(happened));
    }

    private static DefineStage defineStage(int maps) {
        StageBody body = StageMessages.body(
                TestingTasks.plan(
                        SHUFFLE,
                        TestingTasks.pipeline(TestingTasks.shuffleWrite(SHUFFLE, 1)),
                        PartitionInputs.NONE,
                        maps,
                        false),
                new UserObjectSerializer(ExecutorRoleTest.class.getClassLoader()));
        return new DefineStage(StageMessages.id(body), body);
    }

    private final class Loaders implements ApplicationLoaders {
        @Override
        public ApplicationLoader open(String application, List<Path> jars) {
            return new ApplicationLoader() {
                @Override
                public ClassLoader classes() {
                    return ExecutorRoleTest.class.getClassLoader();
                }

                @Override
                public List<Path> jars() {
                    return List.of();
                }

                @Override
                public void close() {
                    happened.add("closed the class loader");
                }
            };
        }

        @Override
        public void start(List<FrozenBundle> frozen, BundleSource source) {
            throw new AssertionError("there are none");
        }
    }

    /** A message system that reaches one driver, which answers at once. */
    private final class PlayedDriver extends TestingRpcEnv implements Peer, EndpointRef {
        private final Queue<String> registeredHosts = new ConcurrentLinkedQueue<>();
        private String refusal = "";
        private final CompletableFuture<EventLoop> loop = new CompletableFuture<>();
        private final CompletableFuture<RpcEndpoint> executor = new CompletableFuture<>();

        void order(Record order) {
            loop.join().execute(() -> executor.join().receive(order, new OneWayCall(this)));
        }

        @Override
        public Registration register(String endpoint, Protocol protocol, Dispatch on, RpcEndpoint receiver) {
            loop.complete(on.loop().orElseThrow());
            executor.complete(receiver);
            return () -> {};
        }

        @Override
        public CompletionStage<Peer> connect(RpcAddress address) {
            return CompletableFuture.completedStage(this);
        }

        @Override
        public EndpointRef endpoint(String name, Protocol protocol) {
            return this;
        }

        @Override
        public <R extends Record> AbortableAsk<R> askAbortable(Record message, Class<R> answer, Duration timeout) {
            return new AbortableAsk<>(CompletableFuture.completedStage(answer.cast(answer(message))), () -> {});
        }

        private Record answer(Record message) {
            if (message instanceof CodeQuestion) {
                return new CodeAnswer("app-1", List.of(), Map.of(), List.of());
            }
            registeredHosts.add(((Register) message).host());
            return new DriverProtocol.Registration(refusal, "app-1", List.of(), Map.of(), 10_000, List.of());
        }

        @Override
        public void send(Record message) {
            if (message instanceof Heartbeat) {
                ready.complete(null);
            }
        }

        @Override
        public void close() {
            happened.add(happened.contains("disconnected") ? "closed the port" : "disconnected");
        }

        @Override
        public Optional<RpcAddress> address() {
            return Optional.empty();
        }

        @Override
        public String name() {
            return "driver-1";
        }

        @Override
        public long id() {
            return 1;
        }

        @Override
        public String remote() {
            return "h:1";
        }
    }
}
