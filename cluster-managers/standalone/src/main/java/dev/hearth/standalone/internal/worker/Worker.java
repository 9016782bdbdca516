package dev.hearth.standalone.internal.worker;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.LogSource;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverReturned;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerHeartbeat;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerStops;
import dev.hearth.standalone.internal.protocol.MasterTerm;
import dev.hearth.standalone.internal.protocol.OutputLinks;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.EndSupervision;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LeaveCluster;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.PermitRestart;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import dev.hearth.standalone.internal.protocol.WorkerSession;
import dev.hearth.standalone.internal.protocol.WorkerSession.DriverReport;
import dev.hearth.standalone.internal.protocol.WorkerSession.ExecutorReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;

/**
 * State machine of the drivers and executors of one host. Events arrive as method calls, and {@link #effects} returns
 * the effects to perform. Owned by {@link WorkerShell}.
 * <p>Invariants: orders are accepted only from the master with which the worker is registered; children outlive the
 * connection to it and the master itself; each end of a child is repeated until a master has taken it. A supervised driver
 * has at most one process, and none once the lease of the worker has expired and the process had time to end.
 */
final class Worker {
    /** End of a driver that only waited for its next start. */
    private static final ChildExit NO_PROCESS =
            new ChildExit(OptionalInt.empty(), "killed while it waited for its next start", "", "");

    private static final ChildExit NOT_BEGUN = new ChildExit(OptionalInt.empty(), "killed before its start", "", "");

    /** Pause before another attempt to fetch the files of a driver. */
    private static final Duration FETCH_PAUSE = Duration.ofSeconds(2);

    private final WorkerSpec spec;
    private final ChildCommands commands;
    private final MasterRetries search;
    private final WorkerDeparture departure;
    private RpcAddress leader; // the master that was reached last
    private final EndOutbox ends = new EndOutbox();
    private final Map<String, WorkerChild> children = new LinkedHashMap<>();
    private State state = State.CONNECTING;
    private MasterTerm served = MasterTerm.NONE;
    private int orders; // over the present connection
    private List<DriverReport> reported = List.of(); // by the registration that was sent last
    private Optional<DriverLease> lease = Optional.empty(); // none from masters of earlier releases
    private List<WorkerEffect> effects = new ArrayList<>();

    Worker(WorkerSpec spec) {
        this.spec = spec;
        this.commands = new ChildCommands(spec);
        this.departure = new WorkerDeparture(spec);
        this.leader = spec.masters().get(0);
        this.search = new MasterRetries(spec.masters(), spec.session());
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

    State state() {
        return state;
    }

    int children() {
        return children.size();
    }

    void start() {
        effects.add(search.begin());
    }

    /** The registration at a master to which this worker has just connected: what it offers, and all that it runs. */
    RegisterWorker registration() {
        orders = 0;
        List<DriverReport> drivers = new ArrayList<>();
        List<ExecutorReport> executors = new ArrayList<>();
        children.values().forEach(child -> {
            child.driverReport(false).ifPresent(drivers::add);
            child.executorReport(false).ifPresent(executors::add);
        });
        ends.children().forEach(child -> {
            child.driverReport(true).ifPresent(drivers::add);
            child.executorReport(true).ifPresent(executors::add);
        });
        reported = List.copyOf(drivers);
        return new RegisterWorker(
                spec.id(),
                spec.address().host(),
                spec.address().port(),
                spec.cores(),
                spec.memoryMebibytes(),
                spec.directory().toAbsolutePath().toString(),
                spec.resources(),
                true,
                true,
                new WorkerSession(spec.session(), served, drivers, executors),
                spec.pagesAddress());
    }

    /** Whether the master of {@code term} was followed by one that this worker has served already. */
    boolean hasServedLater(MasterTerm term) {
        return term.isBefore(served);
    }

    MasterTerm served() {
        return served;
    }

    /**
     * Records that the master of {@code term} has registered this worker, with a lease of the length {@code leased} from
     * {@code fromNanos} on. A length of zero means that the master gives no leases. The master learns of all ends that no
     * other one has taken.
     */
    void registered(MasterTerm term, Duration leased, long fromNanos, long now) {
        move(State.REGISTERED);
        search.reached();
        served = term;
        lease = leased.isZero() ? Optional.empty() : Optional.of(new DriverLease(fromNanos, leased.toNanos()));
        ends.all().forEach(this::report);
        reported.forEach(this::correct);
        departure.report(now).ifPresent(effects::add);
        List.copyOf(children.entrySet()).stream()
                .filter(entry -> entry.getValue().fetchesAgain())
                .forEach(entry -> fetchAgain(entry.getKey(), entry.getValue(), now));
    }

    /**
     * As {@link #registered}, by a master that does not know whether another one leads by now, and starts the supervised drivers
     * elsewhere: the lease that there is begins no further time.
     */
    void registeredInDoubt(MasterTerm term, Duration leased, long fromNanos, long now) {
        registered(term, leased, lease.map(DriverLease::fromNanos).orElse(fromNanos), now);
    }

    /** Tells the master how a supervised driver has gone on since the registration was sent. */
    private void correct(DriverReport sent) {
        Optional.ofNullable(children.get(childOf(sent.submission())))
                .filter(child -> child.supervised().isPresent())
                .flatMap(child -> child.driverReport(false))
                .ifPresent(report -> {
                    if (report.attempt() != sent.attempt()) {
                        effects.add(new WorkerEffect.Send(new DriverStarted(report.submission(), report.attempt())));
                    }
                    if (report.waits() && !report.equals(sent)) {
                        effects.add(new WorkerEffect.Send(new DriverRestarts(
                                report.submission(),
                                report.attempt(),
                                report.restarts(),
                                OptionalInt.empty(),
                                report.lastEnd(),
                                0)));
                    }
                });
    }

    /** Begins to leave the cluster, because this worker is decommissioned for the reason {@code why}. */
    void leave(String why, long now) {
        if (departure.begin(why, now) && state == State.REGISTERED) {
            departure.report(now).ifPresent(effects::add);
        }
    }

    /** Leaves the cluster on the order of the master, which starts nothing more here. */
    void leave(LeaveCluster order, long now) {
        departure.confirm();
        leave(order.reason(), now);
    }

    boolean isLeaving() {
        return departure.hasBegun();
    }

    /**
     * Whether this worker leaves, and nothing is left here but supervised drivers, which start elsewhere when it ends, and no
     * end that a master has to take.
     */
    boolean hasLeft() {
        boolean isFree = ends.all().isEmpty()
                && children.values().stream()
                        .allMatch(child -> child.supervised().isPresent());
        return departure.isComplete(state == State.REGISTERED, isFree);
    }

    /** Records that the master has answered the heartbeat of {@code fromNanos}, where the lease begins again. */
    void renewed(long fromNanos) {
        lease = lease.map(before -> before.renewed(fromNanos));
    }

    WorkerHeartbeat heartbeat(long now) {
        List<String> names = children.entrySet().stream()
                .filter(entry -> !entry.getValue().isStopping())
                .map(Map.Entry::getKey)
                .toList();
        return new WorkerHeartbeat(spec.id(), now, orders, WorkerSession.sum(names));
    }

    /** Counts an order that has arrived. */
    void ordered() {
        orders++;
    }

    /**
     * Gives up a master that has been silent for long. Ends supervised drivers when the lease has expired, because a master
     * may start them elsewhere. Returns the time until the next check.
     */
    Duration expire(long now) {
        if (state == State.REGISTERED
                && lease.filter(given -> given.isSilent(now)).isPresent()) {
            effects.add(new WorkerEffect.Disconnect("no heartbeat was answered for "
                    + Duration.ofNanos(now - lease.get().fromNanos()).toMillis() + " ms"));
        }
        if (hasNoLease(now)) {
            List.copyOf(children.entrySet()).stream()
                    .filter(entry -> entry.getValue().supervised().isPresent()
                            && !entry.getValue().isStopping())
                    .forEach(entry -> {
                        entry.getValue().returns();
                        stopChild(entry.getKey());
                    });
        }
        return lease.map(given -> given.untilCheck(now)).orElse(WorkerSpec.RETRY_MAX);
    }

    private boolean hasNoLease(long now) {
        return lease.filter(given -> given.hasExpired(now)).isPresent();
    }

    /** Records that {@code master} is the one to register with. */
    void found(RpcAddress master) {
        leader = master;
    }

    /** Records that connecting or registering failed. Tries the next master, with exponential back-off. */
    void connectFailed() {
        if (state == State.CONNECTING) {
            effects.add(search.failed());
        }
    }

    /** Connects again, soon if the lost master had registered this worker. All children go on. */
    void masterLost() {
        departure.masterLost();
        if (state == State.REGISTERED) {
            move(State.CONNECTING);
            effects.add(search.lost());
        } else {
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
                    .filter(child -> child.supervised().isPresent() && !child.isStopping())
                    .forEach(WorkerChild::returns);
        }
        List.copyOf(children.keySet()).forEach(this::stopChild);
    }

    void launch(LaunchDriver order, long now) {
        WorkerChild child = WorkerChild.driver(order, now);
        String name = childOf(order.submission());
        if (state == State.STOPPED) {
            effects.add(new WorkerEffect.Send(
                    child.supervised().isPresent()
                            ? new DriverReturned(order.submission(), child.attempt())
                            : child.ended(stopping())));
        } else if (child.supervised().isPresent() && hasNoLease(now)) {
            expire(now); // gives up the master, which finds at the next registration that the driver is not here
        } else if (state == State.REGISTERED
                && ends.find(name).isEmpty()
                && children.putIfAbsent(name, child) == null) {
            begin(name, child, order, now);
        }
    }

    private ChildExit stopping() {
        return new ChildExit(OptionalInt.empty(), "worker " + spec.id() + " stops", "", "");
    }

    private void begin(String name, WorkerChild child, LaunchDriver order, long now) {
        try {
            Set<ContentAddress> contents = order.driver().contents();
            if (contents.isEmpty()) {
                start(name, commands.driver(order, child, Map.of()));
            } else {
                DriverFiles.Request files = new DriverFiles.Request(
                        name,
                        leader,
                        contents,
                        spec.directory().resolve(name),
                        spec.children().user().isPresent());
                child.fetches(files);
                effects.add(new WorkerEffect.Fetch(name, files));
            }
        } catch (HearthException refused) {
            childEnded(name, ChildExit.notStarted(refused), now);
        }
    }

    private void fetchAgain(String name, WorkerChild child, long now) {
        child.driver().ifPresent(order -> begin(name, child, order, now));
    }

    /**
     * Records that the files of a driver could not be fetched. If a master cannot be reached, the worker fetches them from
     * the next one; if one can, after a pause, unless that has failed before.
     */
    void fetchFailed(String name, ChildExit end, boolean isUnreachable, long now) {
        WorkerChild child = children.get(name);
        if (child == null || !child.isFetching()) {
            return;
        }
        boolean isAway = state == State.CONNECTING;
        if (child.isStopping() || !isUnreachable || !(isAway || child.mayFetchAgain())) {
            childEnded(name, end, now);
            return;
        }
        child.fetchAgain();
        if (!isAway) {
            effects.add(new WorkerEffect.Wake(name, child.attempt(), FETCH_PAUSE));
        }
    }

    /** Starts a supervised driver again, if the delay after its attempt {@code attempt} was all that it waited for. */
    void restart(String name, int attempt, long now) {
        WorkerChild child = children.get(name);
        if (child != null && child.fetchesAgain() && state == State.REGISTERED) {
            fetchAgain(name, child, now);
        } else {
            beginIf(name, driver -> driver.due(attempt, now), now);
        }
    }

    /** Starts a supervised driver again, if the permission of the master was all that it waited for. */
    void permit(PermitRestart order, long now) {
        beginIf(childOf(order.submission()), driver -> driver.permitted(order.attempt(), now), now);
    }

    private void beginIf(String name, Predicate<Supervised> begins, long now) {
        WorkerChild child = children.get(name);
        if (child == null
                || child.driver().isEmpty()
                || hasNoLease(now)
                || child.supervised().filter(begins).isEmpty()) {
            return;
        }
        LaunchDriver order = child.driver().get();
        if (state == State.REGISTERED) { // otherwise the next registration says it
            effects.add(new WorkerEffect.Send(new DriverStarted(order.submission(), child.attempt())));
        }
        begin(name, child, order, now);
    }

    /** Starts a driver whose files are at {@code places} now, unless it was ordered to end meanwhile. */
    void fetched(String name, Map<ContentAddress, Path> places, long now) {
        WorkerChild child = children.get(name);
        if (child == null || !child.isFetching() || child.driver().isEmpty()) {
            return;
        }
        child.fetched();
        if (child.isStopping()) {
            childEnded(name, NOT_BEGUN, now);
            return;
        }
        try {
            start(name, commands.driver(child.driver().get(), child, places));
        } catch (HearthException refused) {
            childEnded(name, ChildExit.notStarted(refused), now);
        }
    }

    void stop(StopDriver order) {
        stopChild(childOf(order.submission()));
    }

    /** Makes the present attempt of a supervised driver its last one. */
    void endSupervision(EndSupervision order) {
        String name = childOf(order.submission());
        WorkerChild child = children.get(name);
        if (child != null && child.supervised().filter(Supervised::release).isPresent()) {
            remove(name, child, NO_PROCESS);
        }
    }

    void launch(LaunchExecutor order) {
        String name = childOf(order.application(), order.executor());
        if (state == State.STOPPED) {
            effects.add(
                    new WorkerEffect.Send(WorkerChild.executor(order, List.of()).ended(stopping())));
            return;
        }
        if (state != State.REGISTERED || ends.find(name).isPresent() || children.containsKey(name)) {
            return;
        }
        EndpointUri driver = EndpointUri.parse(order.driver()).orElse(null);
        if (driver == null) {
            refuse(order, "driver URI '" + order.driver() + "' (expected: hearth://endpoint@host:port)");
            return;
        }
        try {
            ChildSpec child = commands.executor(order, driver);
            Map<String, String> logs = OutputLinks.of(
                    LogSource.ofExecutor(order.application(), order.executor()),
                    spec.pagesAddress(),
                    spec.address().host(),
                    child.directory().toString());
            children.put(name, WorkerChild.executor(order, List.copyOf(logs.values())));
            start(name, child);
        } catch (HearthException refused) {
            refuse(order, Failures.describe(refused));
        }
    }

    /** Reports to the master that an executor is not started. */
    void refuse(LaunchExecutor order, String why) {
        WorkerChild child = WorkerChild.executor(order, List.of());
        report(ends.add(
                childOf(order.application(), order.executor()),
                child,
                new ExecutorEnded(order.application(), order.executor(), OptionalInt.empty(), why, List.of())));
    }

    void stop(StopExecutor order) {
        stopChild(childOf(order.application(), order.executor()));
    }

    /** Records that a child's process has exited or could not be started. A supervised driver may start again. */
    void childEnded(String name, ChildExit end, long now) {
        WorkerChild child = children.get(name);
        if (child == null) {
            return;
        }
        child.fetched();
        if (child.supervised().isEmpty() || child.driver().isEmpty() || state == State.STOPPED || child.isReturning()) {
            remove(name, child, end);
            return;
        }
        Supervised driver = child.supervised().get();
        int attempt = driver.attempt();
        Supervised.Decision decision = driver.ended(end.status(), now);
        if (decision.restartAfter().isEmpty()) {
            remove(name, child, end.noting(decision.note()));
            return;
        }
        Duration delay = decision.restartAfter().get();
        child.endedOnce(end.describe());
        if (state == State.REGISTERED) { // otherwise the next registration says it
            effects.add(new WorkerEffect.Send(new DriverRestarts(
                    child.driver().get().submission(),
                    attempt,
                    driver.restarts(),
                    end.status(),
                    end.describe(),
                    delay.toMillis())));
        }
        effects.add(new WorkerEffect.Wake(name, attempt, delay));
    }

    /** Removes a child that has ended for good, and reports that until a master has taken it. */
    private void remove(String name, WorkerChild child, ChildExit end) {
        children.remove(name);
        child.files().ifPresent(files -> effects.add(new WorkerEffect.RemoveFiles(files)));
        boolean isReturned = child.isReturning() && end.status().orElse(1) != 0;
        if (isReturned) { // a master that does not receive that finds at the next registration that the driver is not
            // here
            child.driver()
                    .ifPresent(order -> effects.add(
                            new WorkerEffect.Send(new DriverReturned(order.submission(), child.attempt()))));
        } else if (state != State.STOPPED) {
            report(ends.add(name, child, child.ended(end)));
        } else if (child.isReturning()) {
            effects.add(new WorkerEffect.Send(child.ended(end)));
        }
    }

    private void report(EndOutbox.End end) {
        if (state == State.REGISTERED) {
            effects.add(new WorkerEffect.Report(end.name(), end.message()));
        }
    }

    /** Repeats the report about the end of a child, if no master has taken it yet. */
    void repeat(String name) {
        ends.find(name).ifPresent(this::report);
    }

    /** Records that the master remembers the end of a child. */
    void taken(String name) {
        ends.taken(name);
    }

    List<WorkerEffect> effects() {
        List<WorkerEffect> handedOut = effects;
        effects = new ArrayList<>();
        return handedOut;
    }

    private void start(String name, ChildSpec child) {
        effects.add(new WorkerEffect.Start(
                name, child.withOutputs(spec.outputs()).runBy(spec.children().user())));
    }

    private void stopChild(String name) {
        WorkerChild child = children.get(name);
        if (child == null) {
            return;
        }
        child.stops();
        if (child.supervised().filter(Supervised::release).isPresent()) {
            remove(name, child, NO_PROCESS);
        } else if (child.fetchesAgain()) {
            remove(name, child, NOT_BEGUN);
        } else {
            effects.add(child.isFetching() ? new WorkerEffect.CancelFetch(name) : new WorkerEffect.Stop(name));
        }
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException("worker " + spec.id() + ": from " + state + " to " + next);
        }
        state = next;
    }

    /** The order for the executor {@code name}; empty if it is a driver, or not here. */
    Optional<LaunchExecutor> executor(String name) {
        return Optional.ofNullable(children.get(name)).flatMap(WorkerChild::executor);
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
