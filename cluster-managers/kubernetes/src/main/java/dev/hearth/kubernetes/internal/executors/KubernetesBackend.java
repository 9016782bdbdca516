package dev.hearth.kubernetes.internal.executors;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.mirror.MirrorShell;
import dev.hearth.kubernetes.internal.mirror.PodListener;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.placement.PlacementShell;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * One application's executors on Kubernetes: owns a {@link PodAllocator} and a mirror of its pods, sends their requests
 * and reports to the driver. Owned by the application's event loop, on which everything here runs.
 */
public final class KubernetesBackend implements SchedulerBackend, PodListener, AllocatorEffect.Handler {
    /** Label with the number of an executor, as in Spark. */
    public static final String EXECUTOR_LABEL = "spark-exec-id";

    private static final Duration OPEN_BOUND = Duration.ofSeconds(60);

    private final ApiServer server;
    private final DriverServices driver;
    private final EventLoop loop;
    private final ExecutorPods pods;
    private final OptionalInt deleteGrace;
    private final PodAllocator allocator;
    private final MirrorShell mirror;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private Set<String> excluded = Set.of();
    private Optional<ObjectFacts> orders = Optional.empty();
    private Optional<Owner> owner = Optional.empty();
    private boolean listed;
    private boolean closing;

    public KubernetesBackend(ApiServer server, DriverServices driver, ExecutorPods pods, AllocatorSettings settings) {
        this.server = server;
        this.driver = driver;
        this.loop = driver.loop();
        this.pods = pods;
        this.deleteGrace = OptionalInt.of((int) settings.deleteGrace().toSeconds());
        this.allocator = new PodAllocator(settings, pods::podName);
        this.mirror = new MirrorShell(server, loop, pods.selector(), this);
    }

    /** Creates the launch orders and begins to watch; {@code driverPod} is the driver's pod, if it has one. */
    public CompletionStage<SchedulerBackend> open(Optional<Owner> driverPod) {
        return PlacementShell.place(server, loop, pods.orders(), OPEN_BOUND).thenApply(placed -> {
            orders = Optional.of(placed);
            owner = Optional.of(driverPod.orElseGet(() -> new Owner("Secret", placed.name(), placed.uid())));
            mirror.start();
            return this;
        });
    }

    PodAllocator allocator() {
        return allocator;
    }

    @Override
    public ApplicationId application() {
        return pods.application();
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        excluded = Set.copyOf(excludedHosts);
        int total = demands.getOrDefault(ProfileId.DEFAULT, Demand.NONE).executors();
        perform(allocator.want(total, now()));
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        List<Long> numbers = executors.stream()
                .map(ExecutorId::value)
                .map(pods::executor)
                .flatMap(Optional::stream)
                .sorted()
                .toList();
        perform(allocator.release(numbers, reason, now()));
    }

    @Override
    public void registered(ExecutorId executor) {
        pods.executor(executor.value()).ifPresent(number -> perform(allocator.registered(number, now())));
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        if (!closing) {
            closing = true;
            perform(allocator.close(now()));
        }
        return closed;
    }

    @Override
    public void seen(ObjectFacts pod) {
        followed(pod, number -> allocator.seen(number, pod.requirePod(), now()));
    }

    @Override
    public void vanished(ObjectFacts pod) {
        PodFacts last = pod.requirePod();
        followed(pod, number -> allocator.vanished(number, last, now()));
    }

    @Override
    public void listed(long requestedNanos) {
        if (!listed) {
            listed = true;
            perform(allocator.stale("", now()));
        }
        perform(allocator.listed(requestedNanos, now()));
    }

    @Override
    public void stale(String reason) {
        perform(allocator.stale(reason, now()));
    }

    @Override
    public void onCreatePod(AllocatorEffect.CreatePod effect) {
        ApiObject pod = pods.pod(effect.executor(), owner.orElseThrow(), excluded);
        String nonce = pod.labels().getOrDefault(Placement.NONCE, "");
        server.create(
                pod,
                answer -> loop.execute(
                        () -> perform(allocator.created(effect.executor(), answer, isOurs(answer, nonce), now()))));
    }

    @Override
    public void onDeletePods(AllocatorEffect.DeletePods effect) {
        server.deleteAll(
                Resource.POD,
                pods.selector(effect.executors()),
                deleteGrace,
                answer -> loop.execute(() -> perform(allocator.deleted(effect.executors(), answer, now()))));
    }

    @Override
    public void onDeleteAllPods(AllocatorEffect.DeleteAllPods effect) {
        server.deleteAll(
                Resource.POD,
                pods.selector(),
                deleteGrace,
                answer -> loop.execute(() -> perform(allocator.allDeleted(answer, now()))));
    }

    @Override
    public void onStarted(AllocatorEffect.Started effect) {
        ExecutorStart start = ExecutorStart.of(id(effect.executor()), effect.node(), pods.cores())
                .withAttributes(Map.of(
                        "APP_ID", application().value(),
                        "EXECUTOR_ID", String.valueOf(effect.executor()),
                        "HOSTNAME", effect.node(),
                        "POD_NAME", pods.podName(effect.executor()),
                        "NAMESPACE", server.namespace()));
        report(() -> driver.listener().started(start));
    }

    @Override
    public void onLeaving(AllocatorEffect.Leaving effect) {
        report(() -> driver.listener().leaving(id(effect.executor()), effect.reason(), effect.within()));
    }

    @Override
    public void onLost(AllocatorEffect.Lost effect) {
        report(() -> driver.listener().lost(id(effect.executor()), effect.why()));
    }

    @Override
    public void onHindered(AllocatorEffect.Hindered effect) {
        report(() -> driver.listener().hindered(effect.reason()));
    }

    @Override
    public void onGiveUp(AllocatorEffect.GiveUp effect) {
        report(() -> driver.listener()
                .clusterLost(effect.code()
                        .failure("application " + application() + ": " + effect.reason() + " (expected: executors"
                                + " that run); see kubectl describe pod -n " + server.namespace())));
    }

    @Override
    public void onWake(AllocatorEffect.Wake effect) {
        loop.schedule(effect.after(), () -> perform(allocator.wake(now())));
    }

    @Override
    public void onClosed(AllocatorEffect.Closed effect) {
        mirror.close();
        Optional<ObjectFacts> placed = orders;
        if (placed.isEmpty()) {
            closed.complete(null);
            return;
        }
        // the collector of the cluster deletes the pods that remain with their owner
        server.delete(
                Resource.SECRET,
                placed.get().name(),
                Optional.of(placed.get().uid()),
                OptionalInt.empty(),
                answer -> loop.execute(this::finish));
    }

    private void finish() {
        closed.complete(null);
        server.close();
    }

    private void followed(ObjectFacts pod, Function<Long, List<AllocatorEffect>> event) {
        pods.executor(pod.label(EXECUTOR_LABEL)).ifPresent(number -> perform(event.apply(number)));
    }

    private void perform(List<AllocatorEffect> effects) {
        effects.forEach(effect -> effect.perform(this));
    }

    /** Reports to the driver in an action of its own, unless the application is closing. */
    private void report(Runnable event) {
        loop.execute(() -> {
            if (!closing) {
                event.run();
            }
        });
    }

    private static boolean isOurs(Answer answer, String nonce) {
        return answer instanceof Answer.Exists exists
                && exists.object().label(Placement.NONCE).equals(nonce);
    }

    private static ExecutorId id(long executor) {
        return new ExecutorId(String.valueOf(executor));
    }

    private long now() {
        return loop.ticker().nanos();
    }
}
