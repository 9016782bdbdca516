package dev.hearth.standalone.internal.master;

import dev.hearth.api.task.ResourceInformation;
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
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** Registered application with its demand for executors and its granted executors. Owned by {@link Master}. */
final class ApplicationRecord {
    private static final long PREFERENCE_SCALE = 1_000;
    private static final double NANOS_PER_SECOND = 1e9;

    private final ApplicationId id;
    private final RegisterApplication request;
    private final long peer;
    private final Map<ExecutorId, Grant> executors = new LinkedHashMap<>();
    private final Set<String> excludedHosts = new LinkedHashSet<>();
    private final RestartBackoff pause;
    private Map<String, Integer> tasksByHost = Map.of(); // pending tasks that prefer a host
    private final long registeredMillis;
    private int wanted;
    private int executorsCreated;
    private int coresMost; // that the application held at a time
    private final long startedNanos;
    private String unplaceable = "";
    private boolean unplaceableBefore;

    ApplicationRecord(ApplicationId id, RegisterApplication request, long peer, long now, long wallMillis) {
        this.id = id;
        this.registeredMillis = wallMillis;
        this.request = request;
        this.peer = peer;
        this.pause = new RestartBackoff(now);
        this.startedNanos = now;
    }

    /**
     * Executor that the master has granted to the application on one worker. Exists from the launch order to the worker
     * until the worker reports the exit of the executor.
     */
    static final class Grant {
        private final WorkerRecord worker;
        private final int cores;
        private final int memory;
        private final long grantedNanos;
        private final long grantedMillis;
        private List<ResourceInformation> addresses = List.of();
        private boolean released;

        Grant(WorkerRecord worker, int cores, int memory, long now, long wallMillis) {
            this.grantedMillis = wallMillis;
            this.worker = worker;
            this.cores = cores;
            this.memory = memory;
            this.grantedNanos = now;
        }

        WorkerRecord worker() {
            return worker;
        }

        /** Whether the executor has run long enough to count as stable, so that its exit causes no back-off. */
        boolean isStable(long now) {
            return RestartBackoff.isStable(grantedNanos, now);
        }

        boolean isReleased() {
            return released;
        }

        void release() {
            released = true;
        }

        void freeResources() {
            worker.release(cores, memory);
        }
    }

    ApplicationId id() {
        return id;
    }

    RegisterApplication request() {
        return request;
    }

    long peer() {
        return peer;
    }

    Map<ExecutorId, Grant> executors() {
        return executors;
    }

    void want(int total, List<String> excluded, Map<String, Integer> preferred) {
        wanted = total;
        excludedHosts.clear();
        excludedHosts.addAll(excluded);
        tasksByHost = preferred;
    }

    /**
     * Number of pending tasks per executor that would prefer an additional executor on {@code host}, scaled up. It
     * falls with each executor on that host.
     */
    long preference(String host) {
        long tasks = Math.max(0, tasksByHost.getOrDefault(host, 0));
        long held = tasks == 0
                ? 0
                : executors.values().stream()
                        .filter(grant -> grant.worker.host().equals(host))
                        .count();
        return tasks * PREFERENCE_SCALE / (1 + held);
    }

    /**
     * Records why no worker could hold an executor of the application; empty if one can. Returns whether that has
     * changed.
     */
    boolean unplaceable(String reason) {
        boolean changed = !reason.equals(unplaceable);
        unplaceable = reason;
        return changed;
    }

    /** Why no worker could hold an executor of the application, as last recorded; empty if one can. */
    String unplaceable() {
        return unplaceable;
    }

    /** Whether {@code reason} is the first one that was recorded for this application. */
    boolean isFirstOf(String reason) {
        boolean first = !reason.isEmpty() && !unplaceableBefore;
        unplaceableBefore |= first;
        return first;
    }

    boolean excludes(String host) {
        return excludedHosts.contains(host);
    }

    /** Returns how many executors the application lacks: the wanted number less those granted, or 0. */
    int executorsMissing() {
        return Math.max(0, wanted - executors.size());
    }

    /**
     * Returns the number of cores that may be granted in addition to those of the current executors, before {@code
     * hearth.cores.max} is reached.
     */
    int coresAllowed() {
        return Math.max(0, request.coresMax().orElse(Integer.MAX_VALUE) - coresGranted());
    }

    private int coresGranted() {
        return executors.values().stream().mapToInt(grant -> grant.cores).sum();
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
                OptionalInt.of(coresGranted()),
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
    ExecutorEntry entry(ExecutorId executor, Grant grant, ExecutorEntry.State state) {
        WorkerRecord worker = grant.worker;
        return new ExecutorEntry(
                id,
                executor,
                worker.id(),
                worker.host(),
                state,
                grant.released && !state.isFinal() ? "is being stopped" : "",
                OptionalInt.of(grant.cores),
                OptionalLong.of(grant.memory),
                grant.addresses,
                OptionalLong.of(grant.grantedMillis),
                OptionalLong.empty(),
                OptionalInt.empty(),
                ChildSpec.logLinks(worker.host(), worker.directory(id, executor)),
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

    /** Records the addresses that an executor may use. */
    void use(ExecutorId executor, List<ResourceInformation> addresses) {
        Grant grant = executors.get(executor);
        if (grant != null) {
            grant.addresses = addresses;
        }
    }

    ExecutorId grant(WorkerRecord worker, int cores, long now, long wallMillis) {
        ExecutorId executor = new ExecutorId(String.valueOf(executorsCreated++));
        worker.reserve(cores, request.executorMemoryMebibytes());
        executors.put(executor, new Grant(worker, cores, request.executorMemoryMebibytes(), now, wallMillis));
        coresMost = Math.max(coresMost, coresGranted());
        return executor;
    }

    /**
     * Records that the executor of {@code grant} has exited. An exit soon after the start delays the next executor of
     * this application.
     */
    void noteEnd(Grant grant, long now) {
        pause.noteEnd(grant.grantedNanos, now);
    }

    int earlyFailures() {
        return pause.earlyEnds();
    }

    boolean mayGrant(long now) {
        return pause.remaining(now).isZero();
    }
}
