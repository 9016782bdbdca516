package dev.hearth.standalone.internal.master;

import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.cluster.RestartBackoff;
import dev.hearth.spi.error.Quantity;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ExecutorEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ProfileDemand;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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

    private final ApplicationId id;
    private final long number;
    private final RegisterApplication request;
    private final long peer;
    private final int coresMax;
    private final Map<ExecutorId, Grant> executors = new LinkedHashMap<>();
    private final Map<Integer, DemandRecord> demands = new TreeMap<>(); // by profile
    private final Set<String> excludedHosts = new LinkedHashSet<>();
    private final RestartBackoff pause;
    private final long registeredMillis;
    private final long startedNanos;
    private int executorsCreated;
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
        return executors.isEmpty() && lacksExecutors();
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
                ChildSpec.logLinks(worker.host(), worker.directory(id, grant.executor())),
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
        ExecutorId executor = new ExecutorId(String.valueOf(executorsCreated++));
        Grant grant = new Grant(demand, executor, worker, cores, now, wallMillis);
        worker.add(grant);
        grant.use(worker.takeAddresses(grant.holder(), demand.needs().addresses()));
        executors.put(executor, grant);
        demand.granted(worker.host());
        coresGranted += cores;
        coresMost = Math.max(coresMost, coresGranted);
        return grant;
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
