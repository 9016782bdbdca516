package dev.hearth.engine.internal.executor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.Broadcast;
import dev.hearth.api.StorageLevel;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.function.MapFunction;
import dev.hearth.api.function.TaskFunction;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskContext;
import dev.hearth.engine.internal.closure.CapturedFunction;
import dev.hearth.engine.internal.closure.UserObjectSerializer;
import dev.hearth.engine.internal.dataset.ParallelizedElements;
import dev.hearth.engine.internal.disk.Disk;
import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.NarrowDependencies;
import dev.hearth.engine.internal.plan.NarrowDependencyKind;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.Step;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockChanged;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.BroadcastQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeFile;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CommitQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.TaskEnds;
import dev.hearth.engine.internal.protocol.EndMessages;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropBroadcast;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ForgetStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.PinCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.StageBody;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.engine.internal.protocol.MessageBounds;
import dev.hearth.engine.internal.protocol.StageMessages;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.AbortableAsk;
import dev.hearth.spi.rpc.Dispatch;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.spi.stream.ContentDirectories;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.testkit.OneWayCall;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingRpcEnv;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An executor with a driver that answers before its call returns, and sends orders right after the answer. */
class RemoteExecutorTest {
    private static final int MEBIBYTE = 1024 * 1024;

    private final Simulation simulation = new Simulation(1);
    private final EventLoop loop = simulation.process("executor").loop("executor");
    private final UserObjectSerializer objects = new UserObjectSerializer(RemoteExecutorTest.class.getClassLoader());
    private final HastyDriver driver = new HastyDriver();
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final List<Record> orders = new ArrayList<>();
    private final List<FrozenBundle> bundles = new ArrayList<>();
    private final TestingLoaders loaders = new TestingLoaders();
    private Executor copies = loop;
    private Cores.Factory cores = TestingCores.on(loop);
    private ContentDirectories contents = ContentDirectories.none();
    private final List<CodeFile> jars = new ArrayList<>();
    private final List<UpdateCredential> credentials = new ArrayList<>();
    private final CredentialSinks sinks = new CredentialSinks();
    private int messageBytesMax = MessageBounds.NONE;

    private void run() {
        assertFalse(ending().isDone(), "it serves on");
    }

    private CompletableFuture<RemoteExecutor.Ended> ending() {
        RemoteExecutor executor = new RemoteExecutor(
                new ExecutorOrders(
                        new ExecutorId("0"),
                        "host",
                        1,
                        EndpointUri.parse("hearth://driver-1@h:1").orElseThrow()),
                Settings.empty(),
                loop,
                driver,
                Optional.empty(),
                loaders,
                cores,
                copies,
                TestingCores.clocks(loop),
                Disk.system(),
                contents,
                sinks,
                FileStoreRegistry.of(List::of),
                Optional.empty(),
                messageBytesMax);
        CompletableFuture<RemoteExecutor.Ended> ended = executor.start().toCompletableFuture();
        simulation.runFor(Duration.ofSeconds(1));
        return ended;
    }

    private TemplateId define(Pipeline pipeline, int partitions) {
        StageBody body = StageMessages.body(TestingTasks.plan(pipeline, PartitionInputs.NONE, partitions), objects);
        TemplateId id = StageMessages.id(body);
        orders.add(new DefineStage(id, body));
        return id;
    }

    private void launch(TemplateId id, PartitionInputs inputs, int partitions, int attempt) {
        StagePlan plan = TestingTasks.plan(TestingTasks.pipeline(new Sink.Count()), inputs, partitions);
        LaunchBatch batch = new LaunchBatch(plan, 5, 1);
        for (int partition = 0; partition < partitions; partition++) {
            batch.add(100 + partition, partition, attempt);
        }
        orders.addAll(StageMessages.launches(id, batch, objects, messageBytesMax));
    }

    private PartitionInputs slices(int partitions, Object... elements) {
        return ParallelizedElements.cut(elements, partitions, objects);
    }

    private Pipeline mapping(MapFunction<Integer, ?> function) {
        return TestingTasks.pipeline(
                new Sink.Collect(), new Step.Map(CapturedFunction.of(function, objects, "function")));
    }

    private List<TaskEnd> ends() {
        return driver.updates.stream()
                .flatMap(message -> message.ends().stream())
                .map(EndMessages::end)
                .toList();
    }

    private Object value(TaskEnd end) {
        return objects.read(((TaskResult.Encoded) end.value()).bytes(), "value");
    }

    @Test
    void runsOrdersThatArriveWithTheAnswer() {
        TemplateId id = define(TestingTasks.pipeline(new Sink.Count()), 2);
        launch(id, slices(2, 1, 2, 3), 2, 0);
        run();
        assertEquals(List.of(100L, 101L), ends().stream().map(TaskEnd::task).toList());
        assertEquals(
                List.of(new TaskResult.Shared(1L, 8), new TaskResult.Shared(2L, 8)),
                ends().stream().map(TaskEnd::value).toList());
        assertEquals(2, ends().get(1).metrics().recordsRead());
    }

    @Test
    void registersWithItsAddressesAndGivesThemToTasks() {
        settings.put("hearth.executor.resource.gpu.amount", "1");
        settings.put("hearth.executor.resource.gpu.addresses", "7,8");
        settings.put("hearth.task.cpus", "3");
        TemplateId id = define(
                mapping(number -> TaskContext.current().resources() + " "
                        + TaskContext.current().cpus()),
                2);
        StagePlan plan = TestingTasks.plan(TestingTasks.pipeline(new Sink.Count()), slices(2, 1, 2), 2);
        LaunchBatch batch = new LaunchBatch(plan, 5, 1);
        ResourceInformation own = new ResourceInformation("gpu", List.of("7"));
        batch.add(100, 0, 0, Map.of("gpu", own));
        batch.add(101, 1, 0, Map.of("gpu", own));
        orders.addAll(StageMessages.launches(id, batch, objects, messageBytesMax));
        run();
        assertEquals(List.of(own), driver.registered.get(0).resources());
        assertArrayEquals(new Object[] {Map.of("gpu", own) + " 3"}, (Object[]) value(ends().get(1)));
    }

    @Test
    void endsWithTheReasonWhenItHasNoAddresses() {
        settings.put("hearth.executor.resource.gpu.amount", "1");
        RemoteExecutor.Ended ended = ending().join();
        assertTrue(ended.reason().startsWith("executor 0: resource gpu: no addresses"), ended.reason());
        assertEquals(List.of(), driver.registered);
    }

    @Test
    void carriesFunctionsWithCapturedObjects() {
        List<Integer> list = new ArrayList<>(List.of(40));
        int two = 2;
        TemplateId changing = define(mapping(number -> number + list.get(0)), 1);
        launch(changing, slices(1, 2), 1, 0);
        TemplateId plain = define(mapping(number -> number + two), 1);
        launch(plain, slices(1, 1), 1, 0);
        run();
        assertEquals(42, ((Object[]) value(ends().get(0)))[0]);
        assertEquals(3, ((Object[]) value(ends().get(1)))[0]);
    }

    @Test
    void carriesBranchesAndTheirInputs() {
        NarrowDependencies both = new NarrowDependencies(NarrowDependencyKind.ONE_TO_ONE, List.of(0, 1), List.of());
        Source union = new BranchSource.Union(both);
        Step adding = new Step.Map(CapturedFunction.of((MapFunction<Integer, Integer>) n -> n + 40, objects, "f"));
        Pipeline pipeline = new Pipeline(
                union,
                List.of(),
                new Sink.Collect(),
                Map.of(),
                List.of(
                        new Pipeline.Branch(new Source.Elements(), List.of(adding)),
                        new Pipeline.Branch(new Source.Elements(), List.of())));
        TemplateId id = define(pipeline, 2);
        PartitionInputs first = slices(2, 1, 2);
        PartitionInputs second = slices(2, 5, 6, 7);
        launch(
                id,
                partition -> new TaskInput.PerBranch(List.of(
                        new TaskInput.BranchInput(0, partition, first.input(partition)),
                        new TaskInput.BranchInput(1, partition, second.input(partition)))),
                2,
                0);
        run();
        assertEquals(List.of(41, 5), List.of((Object[]) value(ends().get(0))));
        assertEquals(List.of(42, 6, 7), List.of((Object[]) value(ends().get(1))));
    }

    @Test
    void failsTasksOfUnknownStages() {
        TemplateId id = define(TestingTasks.pipeline(new Sink.Count()), 1);
        orders.add(new ForgetStage(id));
        launch(id, slices(1, 1), 1, 0);
        run();
        assertEquals(TaskOutcome.FAILED, ends().get(0).outcome());
        assertTrue(ends().get(0).failure().text().contains(id.toString()));
    }

    @Test
    void failsATaskWithATooLargeResultAndSplitsItsReports() {
        messageBytesMax = MEBIBYTE;
        TemplateId large = define(mapping(number -> new byte[number]), 4);
        launch(large, slices(4, MEBIBYTE, 600_000, 600_000, 600_000), 4, 0);
        run();
        assertEquals(TaskOutcome.FAILED, ends().get(0).outcome());
        assertTrue(ends().get(0).failure().text().contains("hearth.rpc.message.maxSize"));
        assertEquals(
                List.of(1, 1, 1),
                driver.updates.stream()
                        .map(message -> message.ends().stream()
                                .filter(end -> end.value().bytes().size() > 0)
                                .count())
                        .filter(count -> count > 0)
                        .map(Long::intValue)
                        .toList());
    }

    @Test
    void asksItsDriverToCommitAndForEachBroadcastOnce() {
        List<Integer> makesItTravel = new ArrayList<>();
        Broadcast<String> broadcast = new Broadcast<>(4, new Broadcast.Source<>() {
            @Override
            public String value() {
                return "of the driver";
            }

            @Override
            public void destroy() {}
        });
        TaskFunction<Integer, Object> asking =
                (task, elements) -> task.mayCommit() + " " + broadcast.value() + makesItTravel;
        TemplateId id =
                define(TestingTasks.pipeline(new Sink.Evaluate(CapturedFunction.of(asking, objects, "function"))), 2);
        launch(id, slices(2, 1, 2), 2, 0);
        orders.add(new DropBroadcast(4));
        launch(id, slices(1, 1), 1, 1);
        run();
        assertEquals(
                List.of("true sent[]", "true sent[]", "false sent[]"),
                ends().stream().map(this::value).toList());
        assertEquals(2, driver.broadcastsAsked, "once, and once more when it was dropped");
    }

    @Test
    void endsWithItsProcessWhenATaskRunsOutOfMemory() throws Exception {
        TemplateId id = define(
                mapping(number -> {
                    throw new OutOfMemoryError("as if");
                }),
                1);
        launch(id, slices(1, 1), 1, 0);
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertTrue(ended.isDone());
        assertEquals(ExitCode.OUT_OF_MEMORY, ended.get().code());
        assertEquals(TaskOutcome.FAILED, ends().get(0).outcome(), "the driver gets the report first");
    }

    @Test
    void endsWhenItsSettingsCannotBeUsed() throws Exception {
        settings.put("hearth.task.reaper.pollingInterval", "soon");
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertTrue(ended.isDone());
        assertEquals(ExitCode.USAGE, ended.get().code());
    }

    @Test
    void cachesBlocksReportsThemAndDropsThem() {
        MapFunction<Integer, Object> numbering = number -> new Object[] {number};
        Pipeline keeping = TestingTasks.pipeline(
                new Sink.Collect(),
                new Step.Map(CapturedFunction.of(numbering, objects, "function")),
                new Step.Persist(7, StorageLevel.MEMORY_ONLY));
        TemplateId id = define(keeping, 2);
        launch(id, slices(2, 1, 2), 2, 0);
        launch(id, slices(2, 3, 4), 2, 1);
        orders.add(new DropCached(7));
        launch(id, slices(1, 5), 1, 2);
        run();
        List<Object> found = ends().stream()
                .map(end -> ((Object[]) ((Object[]) value(end))[0])[0])
                .toList();
        assertEquals(List.of(1, 2, 1, 2, 5), found, "the cached block is read until it is dropped");
        List<Boolean> told =
                driver.blocks.stream().map(block -> block.memoryBytes() > 0).toList();
        assertEquals(List.of(true, true, false, false, true), told);
        assertEquals(7, driver.blocks.get(0).dataset());
        assertTrue(driver.blocks.get(0).memoryMax() > 0);
    }

    @Test
    void takesToDiskWhatItIsToldIsAllThereIs(@TempDir Path directory) {
        settings.put("hearth.memory.total", "1m");
        settings.put("hearth.local.dir", directory.toString());
        launch(define(keepingMuchOf(7), 1), slices(1, 1), 1, 0);
        orders.add(new PinCached(7));
        launch(define(keepingMuchOf(8), 1), slices(1, 2), 1, 1);
        run();
        List<BlockChanged> told =
                driver.blocks.stream().filter(block -> block.dataset() == 7).toList();
        assertEquals(2, told.size());
        assertTrue(told.get(0).memoryBytes() > 0);
        assertTrue(told.get(1).memoryBytes() == 0 && told.get(1).diskBytes() > 0, "the other block evicted it");
    }

    private Pipeline keepingMuchOf(int dataset) {
        MapFunction<Integer, Object> enlarging = number -> new byte[600_000];
        MapFunction<Object, Object> forgetting = array -> 1;
        return TestingTasks.pipeline(
                new Sink.Collect(),
                new Step.Map(CapturedFunction.of(enlarging, objects, "function")),
                new Step.Persist(dataset, StorageLevel.MEMORY_ONLY),
                new Step.Map(CapturedFunction.of(forgetting, objects, "function")));
    }

    @Test
    void startsTheBundlesOfItsDriverBeforeItRegisters() {
        bundles.add(new FrozenBundle("words", "1.0.0", new ContentId("0".repeat(64)), 10));
        run();
        assertEquals(List.of("started [words 1.0.0]", "opened app-1"), loaders.asked);
    }

    @Test
    void passesCredentialsToTheirSinksBeforeItRunsTasks() {
        List<String> received = new ArrayList<>();
        sinks.add((kind, content) -> received.add(kind + " " + new String(content.toArray(), UTF_8)), "tokens");
        credentials.add(credential("tokens", 1, "first"));
        credentials.add(credential("other", 2, "unused"));
        orders.add(credential("tokens", 3, "second"));
        orders.add(credential("tokens", 2, "late"));
        run();
        assertEquals(List.of("tokens first", "tokens second"), received);
    }

    private static UpdateCredential credential(String kind, long version, String text) {
        return new UpdateCredential(kind, version, Bytes.owning(text.getBytes(UTF_8)));
    }

    @Test
    void takesContentsOfItsMachineWithoutAskingTheDriverForThem(@TempDir Path directory) throws Exception {
        Path bundle = content(directory, "the bytes of a bundle");
        Path jar = content(directory, "the bytes of a jar");
        bundles.add(new FrozenBundle("words", "1.0.0", ContentId.of(bundle), Files.size(bundle)));
        jars.add(new CodeFile(
                "/elsewhere/a.jar", Files.size(jar), "tag", ContentId.of(jar).sha256()));
        contents = new ContentDirectories(List.of(directory), warning -> {});
        loaders.target = Optional.of(directory.resolve("started.jar"));
        run();
        assertEquals(List.of("started [words 1.0.0]", "opened app-1"), loaders.asked);
        assertEquals("the bytes of a bundle", Files.readString(directory.resolve("started.jar")));
        assertEquals(List.of(jar), loaders.opened);
    }

    private static Path content(Path directory, String text) throws IOException {
        Path file = Files.writeString(directory.resolve("incoming"), text);
        return Files.move(file, directory.resolve(ContentId.of(file).sha256() + ".jar"));
    }

    @Test
    void endsByTheDocumentedStatusWhenABundleDoesNotStart() throws Exception {
        bundles.add(new FrozenBundle("words", "1.0.0", new ContentId("0".repeat(64)), 10));
        loaders.failure = ErrorCode.START_FAILED.failure("bundle words 1.0.0 of the driver: not started");
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertTrue(ended.isDone());
        assertEquals(ExitCode.START_FAILED, ended.get().code());
        assertEquals(
                "bundle words 1.0.0 of the driver: not started", ended.get().reason());
        assertEquals(List.of(), loaders.asked);
    }

    @Test
    void endsWhenABundleHangs() throws Exception {
        bundles.add(new FrozenBundle("words", "1.0.0", new ContentId("0".repeat(64)), 10));
        copies = hanging -> {};
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertFalse(ended.isDone());
        simulation.runFor(Duration.ofMinutes(5));
        assertEquals(ExitCode.START_FAILED, ended.get().code());
        assertTrue(ended.get().reason().contains("[words 1.0.0]"), ended.get().reason());
    }

    @Test
    void endsCompletelyEvenIfAStepThrows() throws Exception {
        loaders.closing = new NoClassDefFoundError("some/Missing");
        orders.add(new Stop("enough"));
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertTrue(ended.isDone());
        assertEquals(new RemoteExecutor.Ended(ExitCode.OK, "enough"), ended.get());
        assertTrue(driver.closed, "the later steps run too");
    }

    @Test
    void endsWhenItsCodeLacksAClass() throws Exception {
        loaders.opening = new NoClassDefFoundError("some/Missing");
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertTrue(ended.isDone(), "it would never be ready");
        assertEquals(ExitCode.UNCAUGHT, ended.get().code());
        assertTrue(ended.get().reason().contains("some/Missing"), ended.get().reason());
    }

    @Test
    void endsWhenItsThreadsCannotStart() throws Exception {
        cores = (application, all) -> {
            throw new OutOfMemoryError("unable to create a thread");
        };
        CompletableFuture<RemoteExecutor.Ended> ended = ending();
        assertTrue(ended.isDone());
        assertTrue(
                ended.get().reason().contains("unable to create a thread"),
                ended.get().reason());
    }

    /** Connection to the driver on which every future is complete already. */
    private final class HastyDriver extends TestingRpcEnv implements Peer, EndpointRef {
        private final List<TaskEnds> updates = new ArrayList<>();
        private final List<BlockChanged> blocks = new ArrayList<>();
        private final List<Register> registered = new ArrayList<>();
        private int broadcastsAsked;
        private boolean closed;
        private RpcEndpoint executor = new Deaf();

        @Override
        public String name() {
            return "driver-1";
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
            return new AbortableAsk<>(CompletableFuture.completedStage(answer.cast(answer(message))), () -> {});
        }

        private Record answer(Record message) {
            if (message instanceof Register register) {
                registered.add(register);
                orders.forEach(order -> loop.execute(() -> executor.receive(order, new OneWayCall(this))));
                return new dev.hearth.engine.internal.protocol.DriverProtocol.Registration(
                        "", "app-1", List.of(), settings, 10_000, List.copyOf(credentials));
            }
            if (message instanceof CodeQuestion) {
                return new CodeAnswer("app-1", jars, settings, bundles);
            }
            if (message instanceof CommitQuestion question) {
                return new CommitAnswer(question.attempt() == 0);
            }
            assertEquals(BroadcastQuestion.class, message.getClass());
            broadcastsAsked++;
            return new BroadcastAnswer(objects.write("sent", "broadcast"), Optional.empty());
        }

        @Override
        public void send(Record message) {
            if (message instanceof TaskEnds update) {
                updates.add(update);
            } else if (message instanceof BlockChanged block) {
                blocks.add(block);
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
        public void close() {
            closed = true;
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
}
