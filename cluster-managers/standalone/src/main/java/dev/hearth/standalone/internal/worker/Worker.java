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
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerStops;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;
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
import java.util.function.Predicate;

/**
 * State machine of the drivers and executors of one host. Events arrive as method calls, and {@link #effects} returns
 * the effects to perform. Owned by {@link WorkerShell}.
 * <p>Invariants: orders are accepted only from the master with which the worker is registered; if that master is lost,
 * the worker stops all children that this master ordered; each exit of a child is reported once, to the master that
 * ordered the child. A supervised driver has at most one process, and none once the lease of the worker has expired and
 * the process had time to end.
 */
final class Worker {
    /** End of a driver that only waited for its next start. */
    private static final ChildExit NO_PROCESS =
            new ChildExit(OptionalInt.empty(), "killed while it waited for its next start", "", "");

    private final WorkerSpec spec;
    private final Map<String, Child> children = new LinkedHashMap<>();
    private State state = State.CONNECTING;
    private int masterIndex;
    private RpcAddress leader; // the master that was reached last
    private Duration retry = WorkerSpec.RETRY_FIRST;
    private final WorkerDeparture departure;
    private Optional<Lease> lease = Optional.empty(); // none from masters of earlier releases
    private List<WorkerEffect> effects = new ArrayList<>();

    Worker(WorkerSpec spec) {
        this.spec = spec;
        this.leader = spec.masters().get(0);
        this.departure = new WorkerDeparture(spec);
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
     * Driver or executor that a master ordered. If {@code orphan} is set, that master is lost, so the exit of the process
     * is not reported. If {@code returns} is set, the driver ends because this worker stops. A supervised driver that
     * waits for its next start has no process.
     */
    private static final class Child {
        private final EndMessage ending;
        private Optional<LaunchDriver> driver = Optional.empty();
        private Optional<Supervised> supervised = Optional.empty();
        private boolean fetching; // files of the driver
        private boolean orphan;
        private boolean stopping;
        private boolean returns;

        Child(EndMessage ending) {
            this.ending = ending;
        }

        /** Number of the driver's present start. */
        int attempt() {
            return supervised.map(Supervised::attempt).orElse(1);
        }
    }

    /** Permission of a master to run supervised drivers, from {@code fromNanos} on for {@code lengthNanos}. */
    private record Lease(long fromNanos, long lengthNanos) {
        private static final int CHECKS_OF_EXPIRED = 10; // in the length of a lease

        boolean hasExpired(long now) {
            return now - fromNanos >= lengthNanos;
        }

        /** Time until it may expire; at least a part of its length, so that an expired one is not checked all the time. */
        Duration untilCheck(long now) {
            long left = lengthNanos - (now - fromNanos);
            return Duration.ofNanos(left > 0 ? left : lengthNanos / CHECKS_OF_EXPIRED);
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

    /**
     * Records that a master has registered this worker, with a lease of the length {@code leased} from {@code fromNanos}
     * on. A length of zero means that the master gives no leases.
     */
    void registered(Duration leased, long fromNanos) {
        move(State.REGISTERED);
        retry = WorkerSpec.RETRY_FIRST;
        lease = leased.isZero() ? Optional.empty() : Optional.of(new Lease(fromNanos, leased.toNanos()));
        departure.report().ifPresent(effects::add);
    }

    /** Begins to leave the cluster, because this worker is decommissioned for the reason {@code why}. */
    void leave(String why) {
        if (departure.begin(why) && state == State.REGISTERED) {
            departure.report().ifPresent(effects::add);
        }
    }

    /** Leaves the cluster on the order of the master, which starts nothing more here. */
    void leave(LeaveCluster order) {
        departure.confirm();
        leave(order.reason());
    }

    boolean isLeaving() {
        return departure.hasBegun();
    }

    /** Whether this worker leaves, and nothing is left here but supervised drivers, which start elsewhere when it ends. */
    boolean hasLeft() {
        boolean isFree = children.values().stream().allMatch(child -> child.supervised.isPresent());
        return departure.isComplete(state == State.REGISTERED, isFree);
    }

    /** Records that the master has answered the heartbeat of {@code fromNanos}, where the lease begins again. */
    void renewed(long fromNanos) {
        lease = lease.map(before -> new Lease(Math.max(fromNanos, before.fromNanos()), before.lengthNanos()));
    }

    /**
     * Gives up the master if the lease has expired while a supervised driver is here, because the master may start it
     * elsewhere. Returns the time until the next check.
     */
    Duration expire(long now) {
        if (children.values().stream().anyMatch(child -> child.supervised.isPresent())) {
            requireLease(now);
        }
        return lease.map(given -> given.untilCheck(now)).orElse(WorkerSpec.RETRY_MAX);
    }

    private boolean requireLease(long now) {
        boolean expired = state == State.REGISTERED
                && lease.filter(given -> given.hasExpired(now)).isPresent();
        if (expired) {
            effects.add(new WorkerEffect.Disconnect("no heartbeat was answered for "
                    + Duration.ofNanos(lease.get().lengthNanos()).toMillis()
                    + " ms, for which this worker may run supervised"
                    + " drivers"));
        }
        return !expired;
    }

    /** Records that {@code master} is the one to register with. */
    void found(RpcAddress master) {
        leader = master;
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
        boolean had = !children.isEmpty();
        departure.masterLost();
        if (state == State.REGISTERED) {
            move(State.CONNECTING);
            stopChildren();
        }
        if (!had) { // the last child to end reconnects otherwise
            connectFailed();
        }
    }

    /** Stops all children. The master may start the supervised drivers elsewhere. */
    void stop() {
        boolean isRegistered = state == State.REGISTERED;
        move(State.STOPPED);
        if (isRegistered) {
            effects.add(new WorkerEffect.Send(new WorkerStops(spec.id())));
            children.values().stream()
                    .filter(child -> child.supervised.isPresent() && !child.stopping)
                    .forEach(child -> child.returns = true);
        }
        stopChildren();
    }

    void launch(LaunchDriver order, long now) {
        boolean supervise = order.driver().supervise();
        if (state != State.REGISTERED || (supervise && !requireLease(now))) {
            return;
        }
        SubmissionId id = order.submission();
        Child child = new Child(end -> new DriverEnded(id, end.status(), end.why(), end.output(), end.errors()));
        child.driver = Optional.of(order);
        if (supervise) {
            child.supervised = Optional.of(new Supervised(
                    Math.max(1, order.attempt()),
                    order.restarts(),
                    order.driver().restartsMax(),
                    now));
        }
        if (children.putIfAbsent(childOf(id), child) == null) {
            begin(childOf(id), child, order, now);
        }
    }

    private void begin(String name, Child child, LaunchDriver order, long now) {
        try {
            Set<ContentAddress> contents = order.driver().contents();
            if (contents.isEmpty()) {
                start(name, child(order, child, Map.of()));
            } else {
                child.fetching = true;
                effects.add(new WorkerEffect.Fetch(
                        name,
                        new DriverFiles.Request(
                                name,
                                leader,
                                contents,
                                spec.directory().resolve(name),
                                spec.children().user().isPresent())));
            }
        } catch (HearthException refused) {
            childEnded(name, ChildExit.notStarted(refused), now);
        }
    }

    /** Starts a supervised driver again, if the delay after its attempt {@code attempt} was all that it waited for. */
    void restart(String name, int attempt, long now) {
        beginIf(name, driver -> driver.due(attempt, now), now);
    }

    /** Starts a supervised driver again, if the permission of the master was all that it waited for. */
    void permit(PermitRestart order, long now) {
        beginIf(childOf(order.submission()), driver -> driver.permitted(order.attempt(), now), now);
    }

    private void beginIf(String name, Predicate<Supervised> begins, long now) {
        Child child = children.get(name);
        if (child == null
                || child.driver.isEmpty()
                || child.supervised.filter(begins).isEmpty()) {
            return;
        }
        LaunchDriver order = child.driver.get();
        effects.add(new WorkerEffect.Send(new DriverStarted(order.submission(), child.attempt())));
        begin(name, child, order, now);
    }

    /** Starts a driver whose files are at {@code places} now, unless it was ordered to end meanwhile. */
    void fetched(String name, Map<ContentAddress, Path> places, long now) {
        Child child = children.get(name);
        if (child == null || !child.fetching || child.driver.isEmpty()) {
            return;
        }
        child.fetching = false;
        if (child.stopping) {
            childEnded(name, new ChildExit(OptionalInt.empty(), "killed before its start", "", ""), now);
            return;
        }
        try {
            start(name, child(child.driver.get(), child, places));
        } catch (HearthException refused) {
            childEnded(name, ChildExit.notStarted(refused), now);
        }
    }

    private ChildSpec child(LaunchDriver order, Child child, Map<ContentAddress, Path> places) {
        DriverSpec driver = order.driver();
        Settings settings = spec.children()
                .driver(driver.settings(), spec.address().host())
                .with("worker", ResourceRequest.chosenForDriver(ResourceInformation.byName(order.resources())));
        SubmissionPlan plan = driver.plan(settings);
        if (!places.isEmpty()) {
            plan = UploadSelection.placed(plan, content -> Objects.requireNonNull(places.get(content), content.name()));
        }
        Map<String, String> orders = DriverOrders.of(order.submission(), plan);
        if (child.supervised.isPresent()) {
            orders = DriverOrders.ofAttempt(orders, child.attempt());
        }
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
                .ofAttempt(child.supervised.map(Supervised::attempt).orElse(0))
                .with(LaunchOptions.ofDriver(settings).over(SubmitterEnvironment.withoutMachine(driver.environment())));
    }

    void stop(StopDriver order) {
        stopChild(childOf(order.submission()));
    }

    /** Makes the present attempt of a supervised driver its last one. */
    void endSupervision(EndSupervision order) {
        String name = childOf(order.submission());
        Child child = children.get(name);
        if (child != null && child.supervised.filter(Supervised::release).isPresent()) {
            remove(name, child, NO_PROCESS);
        }
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

    /** Reports to the master that an executor is not started. */
    void refuse(LaunchExecutor order, String why) {
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

    /** Records that a child's process has exited or could not be started. A supervised driver may start again. */
    void childEnded(String name, ChildExit end, long now) {
        Child child = children.get(name);
        if (child == null) {
            return;
        }
        child.fetching = false;
        if (child.supervised.isEmpty() || child.driver.isEmpty() || state != State.REGISTERED || child.orphan) {
            remove(name, child, end);
            return;
        }
        Supervised driver = child.supervised.get();
        int attempt = driver.attempt();
        Supervised.Decision decision = driver.ended(end.status(), now);
        if (decision.restartAfter().isEmpty()) {
            remove(name, child, end.noting(decision.note()));
            return;
        }
        Duration delay = decision.restartAfter().get();
        effects.add(new WorkerEffect.Send(new DriverRestarts(
                child.driver.get().submission(),
                attempt,
                driver.restarts(),
                end.status(),
                end.describe(),
                delay.toMillis())));
        effects.add(new WorkerEffect.Wake(name, attempt, delay));
    }

    /** Removes a child that has ended for good, and reports that to the master that ordered it. */
    private void remove(String name, Child child, ChildExit end) {
        children.remove(name);
        if (state == State.REGISTERED && !child.orphan) {
            effects.add(new WorkerEffect.Send(child.ending.message(end)));
        } else if (child.returns && child.driver.isPresent()) {
            boolean hasFinished = end.status().orElse(1) == 0;
            effects.add(new WorkerEffect.Send(
                    hasFinished
                            ? child.ending.message(end)
                            : new DriverReturned(child.driver.get().submission(), child.attempt())));
        } else if (child.orphan && children.isEmpty()) {
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
        if (child == null) {
            return;
        }
        child.stopping = true;
        if (child.supervised.filter(Supervised::release).isPresent()) {
            remove(name, child, NO_PROCESS);
        } else {
            effects.add(child.fetching ? new WorkerEffect.CancelFetch(name) : new WorkerEffect.Stop(name));
        }
    }

    private void stopChildren() {
        List.copyOf(children.entrySet()).forEach(entry -> {
            entry.getValue().orphan = true;
            stopChild(entry.getKey());
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
