package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.RestartBackoff;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.standalone.internal.protocol.ApplicationSession.HeldExecutor;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ProfileDemand;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerSession.ExecutorReport;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Registered application with its demands for executors and its granted executors, and with sums of these. Owned by {@link
 * ApplicationLedger}.
 */
final class ApplicationRecord {
    /** Profile that the settings hearth.executor.* define. */
    static final int DEFAULT_PROFILE = 0;

    private static final int PROFILES_MAX = 1_000; // besides the default one

    private static final double NANOS_PER_SECOND = 1e9;

    /** Numbers of executors that one fact reserves. */
    private static final int RESERVED_AT_A_TIME = 256;

    /** Age that an executor of a former master counts as having. */
    private static final long STABLE_NANOS = Duration.ofHours(1).toNanos();

    private final ApplicationId id;
    private final long number;
    private RegisterApplication request;
    private long peer;
    private OptionalLong awaySince = OptionalLong.empty();
    private final Map<ExecutorId, HeldExecutor> expected = new LinkedHashMap<>(); // on workers of a former master
    private final int coresMax;
    private final Map<ExecutorId, Grant> executors = new LinkedHashMap<>();
    private final Map<Integer, DemandRecord> demands = new TreeMap<>(); // by profile
    private final Set<String> excludedHosts = new LinkedHashSet<>();
    private final RestartBackoff pause;
    private final long registeredMillis;
    private final long startedNanos;
    private int executorsCreated;
    private int executorNext; // number of the next executor
    private int executorsReserved; // no later master uses a number below
    private int coresGranted;
    private int coresMost; // that the application held at a time
    private int failures; // early ends with another status than 0, in a row
    private WaitReason reported = WaitReason.NONE;
    private boolean reportedBefore; // a reason that lasts
    private OptionalLong waitsSince = OptionalLong.empty();

    /**
     * Creates the record of an application that has registered at {@code wallMillis}, a time in milliseconds since 1970.
     * Applications that register later have greater numbers. Its executors may have {@code coresMax} cores in all.
     */
    ApplicationRecord(
            ApplicationId id,
            long number,
            RegisterApplication request,
            long peer,
            int coresMax,
            long now,
            long wallMillis) {
        this.id = id;
        this.number = number;
        this.registeredMillis = wallMillis;
        this.request = request;
        this.peer = peer;
        this.coresMax = coresMax;
        this.pause = new RestartBackoff(now);
        this.startedNanos = now;
        ProcessNeeds needs = new ProcessNeeds(
                request.executorCores().orElse(1),
                request.executorMemoryMebibytes(),
                request.executorResources(),
                false);
        demands.put(
                DEFAULT_PROFILE,
                new DemandRecord(
                        this, DEFAULT_PROFILE, needs, request.executorCores().isPresent()));
    }

    ApplicationId id() {
        return id;
    }

    long number() {
        return number;
    }

    RegisterApplication request() {
        return request;
    }

    long peer() {
        return peer;
    }

    /** Whether {@code message} comes from the driver of this application, which has kept its executors. */
    boolean isContinuedBy(RegisterApplication message) {
        return request.session().isResumable()
                && request.session().id().equals(message.session().id());
    }

    /** Whether the connection to the driver has ended, and it may come back over another one. */
    boolean isAway() {
        return awaySince.isPresent();
    }

    long awayNanos(long now) {
        return awaySince.isPresent() ? now - awaySince.getAsLong() : 0;
    }

    void leaves(long now) {
        awaySince = OptionalLong.of(now);
    }

    /** The driver is back over the connection {@code connection}. It learns again why it has no executors. */
    void returns(RegisterApplication message, long connection) {
        request = message;
        peer = connection;
        awaySince = OptionalLong.empty();
        reported = WaitReason.NONE;
    }

    /** Begins the numbers of executors at {@code number}, because a former master may have used those below. */
    void numberFrom(int number) {
        executorNext = number;
        executorsReserved = number;
    }

    /** The number below which executors may be numbered by now, if it has to be recorded; empty if it is already. */
    OptionalInt reserve() {
        if (executorNext <= executorsReserved) {
            return OptionalInt.empty();
        }
        executorsReserved = (executorNext / RESERVED_AT_A_TIME + 1) * RESERVED_AT_A_TIME;
        return OptionalInt.of(executorsReserved);
    }

    /** Expects that a worker of a former master registers with the executor {@code held}. */
    void expect(HeldExecutor held) {
        if (expected.putIfAbsent(held.executor(), held) == null) {
            demand(held.profile()).ifPresent(DemandRecord::expects);
            coresGranted += held.cores();
        }
    }

    /** Ends the wait for an executor. Returns whether it was expected. */
    boolean expectNoMore(ExecutorId executor) {
        HeldExecutor held = expected.remove(executor);
        if (held != null) {
            demand(held.profile()).ifPresent(DemandRecord::expectsNoMore);
            coresGranted -= held.cores();
        }
        return held != null;
    }

    boolean isExpecting(ExecutorId executor) {
        return expected.containsKey(executor);
    }

    /** Executors that workers of a former master run as far as the driver knows. */
    List<HeldExecutor> expected() {
        return List.copyOf(expected.values());
    }

    private Optional<DemandRecord> demand(int profile) {
        return Optional.ofNullable(demands.get(profile));
    }

    /** Records an executor that already runs on {@code worker}, which has room for it. */
    Grant adopt(WorkerRecord worker, ExecutorReport report, long now, long wallMillis) {
        DemandRecord demand = demands.computeIfAbsent(
                report.profile(), profile -> new DemandRecord(this, profile, needs(report), true));
        Grant grant = new Grant(demand, report.executor(), worker, report.cores(), now - STABLE_NANOS, wallMillis);
        worker.add(grant);
        worker.claimAddresses(grant.holder(), report.resources());
        grant.use(report.resources());
        add(grant);
        return grant;
    }

    private static ProcessNeeds needs(ExecutorReport report) {
        Map<String, Integer> amounts = new TreeMap<>();
        report.resources()
                .forEach(resource ->
                        amounts.put(resource.name(), resource.addresses().size()));
        return new ProcessNeeds(report.cores(), report.memoryMebibytes(), amounts, false);
    }

    /** Number of cores that its executors may have in all. */
    int coresMax() {
        return coresMax;
    }

    /** Executors that were granted and have not ended. */
    Map<ExecutorId, Grant> executors() {
        return Collections.unmodifiableMap(executors);
    }

    /** Demands in the order in which they are served. */
    Collection<DemandRecord> demands() {
        return demands.values();
    }

    /** Sets what the application wants. Profiles that {@code message} does not contain are wanted no more. */
    void want(WantExecutors message) {
        excludedHosts.clear();
        excludedHosts.addAll(message.excludedHosts());
        demands.values().forEach(demand -> demand.want(0, Map.of()));
        Objects.requireNonNull(demands.get(DEFAULT_PROFILE)).want(message.total(), message.tasksByHost());
        for (ProfileDemand wanted : message.profiles()) {
            demands.computeIfAbsent(
                            wanted.profile(), profile -> new DemandRecord(this, profile, needs(wanted), sized(wanted)))
                    .want(wanted.total(), wanted.tasksByHost());
        }
    }

    private static ProcessNeeds needs(ProfileDemand wanted) {
        return new ProcessNeeds(
                wanted.executorCores().orElse(1), wanted.executorMemoryMebibytes(), wanted.executorResources(), false);
    }

    private static boolean sized(ProfileDemand wanted) {
        return wanted.executorCores().isPresent();
    }

    /** Whether executors of {@code wanted} may be granted: it names another profile than the default one, and what it needs. */
    boolean accepts(ProfileDemand wanted) {
        return wanted.profile() != DEFAULT_PROFILE
                && wanted.executorCores().orElse(1) > 0
                && wanted.executorMemoryMebibytes() > 0
                && wanted.executorResources().values().stream().allMatch(amount -> amount > 0)
                && (demands.size() <= PROFILES_MAX || demands.containsKey(wanted.profile()));
    }

    /** Records why the application has no executors. Returns whether it knows something else so far. */
    boolean report(WaitReason reason) {
        boolean changed = !reason.subject().equals(reported.subject());
        reported = reason;
        return changed;
    }

    /** Why the application has no executors, as last reported to it. */
    WaitReason reported() {
        return reported;
    }

    /** Whether this is the first lasting reason that was reported to this application. */
    boolean isFirstOf(WaitReason reason) {
        boolean first = reason.lasting() && !reportedBefore;
        reportedBefore |= first;
        return first;
    }

    /** Whether the application wants executors and has none. */
    boolean waits() {
        return executors.isEmpty() && !isAway() && lacksExecutors();
    }

    /** Returns for how long the application has waited at {@code now}; 0 at the first call since it began to wait. */
    long waitedNanos(long now) {
        if (!waits()) {
            waitsSince = OptionalLong.empty();
            return 0;
        }
        if (waitsSince.isEmpty()) {
            waitsSince = OptionalLong.of(now);
        }
        return now - waitsSince.getAsLong();
    }

    boolean excludes(String host) {
        return excludedHosts.contains(host);
    }

    /** Whether the application has fewer executors than it wants. */
    boolean lacksExecutors() {
        return demands.values().stream().anyMatch(demand -> demand.missing() > 0);
    }

    /** Returns the number of cores that may be granted in addition to those of the current executors. */
    int coresAllowed() {
        return Math.max(0, coresMax - coresGranted);
    }

    /** Describes the application at its end, for the log: how it ended, what it held, and how long it ran. */
    String summary(String result, long now) {
        return "application " + id + " (" + request.name() + ")"
                + (request.user().isEmpty() ? "" : " of " + request.user()) + " has ended: " + result + "; "
                + Quantity.of(executorsCreated, "executor") + ", "
                + Quantity.of(coresMost, "core") + ", "
                + String.format(Locale.ROOT, "%.1f s", (now - startedNanos) / NANOS_PER_SECOND);
    }

    /** Id of the submission whose driver this application is; empty if its driver runs elsewhere. */
    Optional<SubmissionId> submission() {
        return request.submission();
    }

    ApplicationFigures figures(ApplicationEntry.State state) {
        return new ApplicationFigures(id, request.name(), state.name(), coresGranted, registeredMillis);
    }

    /** This application for display, at the time {@code wallMillis}. */
    ApplicationEntry entry(ApplicationEntry.State state, String message, long wallMillis) {
        return new ApplicationEntry(
                id,
                request.name(),
                request.user(),
                state,
                message,
                OptionalInt.of(coresGranted),
                OptionalLong.of(request.executorMemoryMebibytes()),
                OptionalInt.of(executors.size()),
                OptionalLong.of(registeredMillis),
                OptionalLong.empty(),
                OptionalLong.of(Math.max(0, wallMillis - registeredMillis)),
                EndpointUri.parse(request.driver())
                        .map(uri -> uri.address().toString())
                        .orElse(""),
                request.submission(),
                Map.of());
    }

    /** An executor of this application for display. */
    ExecutorEntry entry(Grant grant, ExecutorEntry.State state) {
        WorkerRecord worker = grant.worker();
        return new ExecutorEntry(
                id,
                grant.executor(),
                worker.id(),
                worker.host(),
                state,
                grant.isReleased() && !state.isFinal() ? "is being stopped" : "",
                OptionalInt.of(grant.cores()),
                OptionalLong.of(grant.memory()),
                grant.addresses(),
                OptionalLong.of(grant.grantedMillis()),
                OptionalLong.empty(),
                OptionalInt.empty(),
                worker.links(id, grant.executor()),
                Map.of());
    }

    /** State of an application whose driver reported {@code result}, the name of an ApplicationResult. */
    static ApplicationEntry.State state(String result) {
        return Stream.of(ApplicationEntry.State.values())
                .filter(state -> state.isFinal() && state.name().equals(result))
                .findFirst()
                .orElse(ApplicationEntry.State.FAILED);
    }

    /** State of an executor that ended by itself, or that could not be started. */
    static ExecutorEntry.State state(ExecutorEnded report) {
        return report.exitStatus().isPresent() ? ExecutorEntry.State.EXITED : ExecutorEntry.State.FAILED;
    }

    /** Records an executor on {@code worker}, and reserves what it needs there. */
    Grant grant(DemandRecord demand, WorkerRecord worker, int cores, long now, long wallMillis) {
        executorsCreated++;
        ExecutorId executor = new ExecutorId(String.valueOf(executorNext++));
        Grant grant = new Grant(demand, executor, worker, cores, now, wallMillis);
        worker.add(grant);
        grant.use(worker.takeAddresses(grant.holder(), demand.needs().addresses()));
        add(grant);
        return grant;
    }

    private void add(Grant grant) {
        executors.put(grant.executor(), grant);
        grant.demand().granted(grant.worker().host());
        coresGranted += grant.cores();
        coresMost = Math.max(coresMost, coresGranted);
    }

    /** Counts an executor no more, because its worker is being decommissioned. The application may have another one. */
    void leave(Grant grant) {
        if (!grant.isLeaving()) {
            grant.leave();
            uncount(grant);
        }
    }

    /** Frees the cores and the memory of an executor. Its addresses are free when its process has ended. */
    void remove(Grant grant) {
        if (executors.remove(grant.executor(), grant)) {
            if (!grant.isLeaving()) {
                uncount(grant);
            }
            grant.worker().remove(grant);
        }
    }

    private void uncount(Grant grant) {
        grant.demand().gone(grant.worker().host());
        coresGranted -= grant.cores();
    }

    /**
     * Records that the executor of {@code grant} has exited. An exit soon after the start delays the next executor of
     * this application, and counts as a failure if {@code failed}.
     */
    void noteEnd(Grant grant, boolean failed, long now) {
        pause.noteEnd(grant.grantedNanos(), now);
        failures = pause.earlyEnds() == 0 ? 0 : failures + (failed ? 1 : 0);
    }

    /** Number of executors in a row that failed soon after their start. */
    int earlyFailures() {
        return failures;
    }

    /** Time for which the application gets no executors, because others ended early. */
    Duration pause(long now) {
        return pause.remaining(now);
    }
}
