package dev.hearth.standalone.internal.worker;

import dev.hearth.api.HearthException;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.spi.application.CarriedBundles;
import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmitterEnvironment;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * State machine of the drivers and executors of one host. Events arrive as method calls, and {@link #effects} returns
 * the effects to perform. Owned by {@link WorkerShell}.
 * <p>Invariants: orders are accepted only from the master with which the worker is registered; if that master is lost,
 * the worker stops all children that this master ordered; each exit of a child is reported once, to the master that
 * ordered the child.
 */
final class Worker {
    private final WorkerSpec spec;
    private final Map<String, Child> children = new LinkedHashMap<>();
    private State state = State.CONNECTING;
    private int masterIndex;
    private Duration retry = WorkerSpec.RETRY_FIRST;
    private List<WorkerEffect> effects = new ArrayList<>();

    Worker(WorkerSpec spec) {
        this.spec = spec;
    }

    enum State {
        CONNECTING,
        REGISTERED,
        STOPPED;

        boolean leadsTo(State next) {
            return successors().contains(next);
        }

        private Set<State> successors() {
            return switch (this) {
                case CONNECTING -> EnumSet.of(REGISTERED, STOPPED);
                case REGISTERED -> EnumSet.of(CONNECTING, STOPPED);
                case STOPPED -> EnumSet.noneOf(State.class);
            };
        }
    }

    /**
     * Driver or executor process that a master ordered. If {@code orphan} is set, that master is lost, so the exit of
     * the process is not reported.
     */
    private static final class Child {
        private final EndMessage ending;
        private Optional<LaunchDriver> waiting = Optional.empty(); // order of a driver whose files are fetched
        private boolean orphan;
        private boolean stopping;

        Child(EndMessage ending) {
            this.ending = ending;
        }
    }

    /** Creates the message that reports the exit of a child process. */
    @FunctionalInterface
    private interface EndMessage {
        Record message(ChildExit end);
    }

    State state() {
        return state;
    }

    int children() {
        return children.size();
    }

    void start() {
        connectAfter(Duration.ZERO);
    }

    void registered() {
        move(State.REGISTERED);
        retry = WorkerSpec.RETRY_FIRST;
    }

    /** Records that connecting or registering failed. Tries the next master, with exponential back-off. */
    void connectFailed() {
        if (state == State.CONNECTING) {
            masterIndex = (masterIndex + 1) % spec.masters().size();
            connectAfter(retry);
            Duration doubled = retry.multipliedBy(2);
            retry = doubled.compareTo(WorkerSpec.RETRY_MAX) < 0 ? doubled : WorkerSpec.RETRY_MAX;
        }
    }

    /**
     * Stops all children (drivers and executors) that the lost master ordered, because the next master does not know
     * them. Reconnects once all children have ended, so that the resources offered to the next master are really free.
     */
    void masterLost() {
        if (state == State.REGISTERED) {
            move(State.CONNECTING);
            stopChildren();
        }
        if (children.isEmpty()) {
            connectFailed();
        }
    }

    void stop() {
        move(State.STOPPED);
        stopChildren();
    }

    void launch(LaunchDriver order) {
        if (state != State.REGISTERED) {
            return;
        }
        SubmissionId id = order.submission();
        EndMessage ending = end -> new DriverEnded(id, end.status(), end.why(), end.output(), end.errors());
        try {
            Set<ContentAddress> contents = order.driver().contents();
            if (contents.isEmpty()) {
                start(childOf(id), child(order, Map.of()), ending);
            } else {
                fetch(order, contents, ending);
            }
        } catch (HearthException refused) {
            effects.add(new WorkerEffect.Send(
                    new DriverEnded(id, OptionalInt.empty(), Failures.describe(refused), "", "")));
        }
    }

    private void fetch(LaunchDriver order, Set<ContentAddress> contents, EndMessage ending) {
        String name = childOf(order.submission());
        Child child = new Child(ending);
        child.waiting = Optional.of(order);
        if (children.putIfAbsent(name, child) == null) {
            effects.add(new WorkerEffect.Fetch(
                    name,
                    new DriverFiles.Request(
                            name,
                            spec.masters().get(masterIndex),
                            contents,
                            spec.directory().resolve(name),
                            spec.children().user().isPresent())));
        }
    }

    /** Starts a driver whose files are at {@code places} now, unless it was ordered to end meanwhile. */
    void fetched(String name, Map<ContentAddress, Path> places) {
        Child child = children.get(name);
        if (child == null || child.waiting.isEmpty()) {
            return;
        }
        LaunchDriver order = child.waiting.get();
        child.waiting = Optional.empty();
        if (child.stopping) {
            childEnded(name, new ChildExit(OptionalInt.empty(), "killed before its start", "", ""));
            return;
        }
        try {
            start(name, child(order, places));
        } catch (HearthException refused) {
            childEnded(name, ChildExit.notStarted(refused));
        }
    }

    private ChildSpec child(LaunchDriver order, Map<ContentAddress, Path> places) {
        DriverSpec driver = order.driver();
        Settings settings = spec.children()
                .driver(driver.settings(), spec.address().host())
                .with("worker", ResourceRequest.chosenForDriver(ResourceInformation.byName(order.resources())));
        SubmissionPlan plan = driver.plan(settings);
        if (!places.isEmpty()) {
            plan = UploadSelection.placed(plan, content -> Objects.requireNonNull(places.get(content), content.name()));
        }
        Map<String, String> orders = DriverOrders.of(order.submission(), plan);
        if (!driver.bundles().isEmpty()) {
            List<Path> jars = driver.frozenBundles().stream()
                    .map(bundle -> Objects.requireNonNull(places.get(DriverSpec.addressOf(bundle)), bundle.toString())
                            .getParent())
                    .distinct()
                    .toList();
            orders = new CarriedBundles(driver.frozenBundles(), jars).in(orders);
        }
        Path directory = spec.directory().resolve(order.submission().value());
        return new ChildSpec("driver", ChildSpec.heap(driver.memoryMebibytes()), orders, directory)
                .with(LaunchOptions.ofDriver(settings).over(SubmitterEnvironment.withoutMachine(driver.environment())));
    }

    void stop(StopDriver order) {
        stopChild(childOf(order.submission()));
    }

    void launch(LaunchExecutor order) {
        if (state != State.REGISTERED) {
            return;
        }
        EndpointUri driver = EndpointUri.parse(order.driver()).orElse(null);
        if (driver == null) {
            refuse(order, "driver URI '" + order.driver() + "' (expected: hearth://endpoint@host:port)");
            return;
        }
        ChildSpec child;
        try {
            child = child(order, driver);
        } catch (HearthException refused) {
            refuse(order, Failures.describe(refused));
            return;
        }
        List<String> logs = child.logs();
        start(
                childOf(order.application(), order.executor()),
                child,
                end -> new ExecutorEnded(order.application(), order.executor(), end.status(), end.describe(), logs));
    }

    private void refuse(LaunchExecutor order, String why) {
        effects.add(new WorkerEffect.Send(
                new ExecutorEnded(order.application(), order.executor(), OptionalInt.empty(), why, List.of())));
    }

    private ChildSpec child(LaunchExecutor order, EndpointUri driver) {
        Map<String, String> settings = spec.children().executor(order.settings());
        settings.putAll(ResourceRequest.chosenForExecutor(ResourceInformation.byName(order.resources())));
        return new ExecutorOrders(order.executor(), spec.address().host(), order.cores(), driver)
                .child(
                        order.application(),
                        settings,
                        order.memoryMebibytes(),
                        spec.directory()
                                .resolve(order.application().value())
                                .resolve(order.executor().value()));
    }

    void stop(StopExecutor order) {
        stopChild(childOf(order.application(), order.executor()));
    }

    /** Records that a child's process has exited or could not be started. */
    void childEnded(String name, ChildExit end) {
        Child child = children.remove(name);
        if (child != null && !child.orphan && state == State.REGISTERED) {
            effects.add(new WorkerEffect.Send(child.ending.message(end)));
        } else if (child != null && child.orphan && children.isEmpty()) {
            connectFailed();
        }
    }

    List<WorkerEffect> effects() {
        List<WorkerEffect> handedOut = effects;
        effects = new ArrayList<>();
        return handedOut;
    }

    private void start(String name, ChildSpec child, EndMessage ending) {
        if (children.putIfAbsent(name, new Child(ending)) == null) {
            start(name, child);
        }
    }

    private void start(String name, ChildSpec child) {
        effects.add(new WorkerEffect.Start(
                name, child.withOutputs(spec.outputs()).runBy(spec.children().user())));
    }

    private void stopChild(String name) {
        Child child = children.get(name);
        if (child != null) {
            child.stopping = true;
            effects.add(child.waiting.isPresent() ? new WorkerEffect.CancelFetch(name) : new WorkerEffect.Stop(name));
        }
    }

    private void stopChildren() {
        children.forEach((name, child) -> {
            child.orphan = true;
            stopChild(name);
        });
    }

    private void connectAfter(Duration delay) {
        RpcAddress master = spec.masters().get(masterIndex);
        effects.add(new WorkerEffect.Connect(master, delay));
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("worker " + spec.id() + ": from " + state + " to " + next);
        }
        state = next;
    }

    /** Whether the process {@code source} runs. It has not ended before its last output is in its files. */
    boolean isRunning(LogSource source) {
        return children.containsKey(source.application()
                .map(application -> childOf(application, new ExecutorId(source.process())))
                .orElse(source.process()));
    }

    /** Returns the work directory of the process {@code source}; it exists once the process was started here. */
    Path directory(LogSource source) {
        Path parent = source.application()
                .map(application -> spec.directory().resolve(application.value()))
                .orElse(spec.directory());
        return parent.resolve(source.process());
    }

    private static String childOf(SubmissionId id) {
        return id.value();
    }

    private static String childOf(ApplicationId application, ExecutorId executor) {
        return application + "/" + executor;
    }
}
