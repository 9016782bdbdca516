package dev.hearth.kubernetes.internal.executors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.anchor.AnchorShell;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.kubernetes.internal.mirror.MirrorShell;
import dev.hearth.kubernetes.internal.mirror.PodListener;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.placement.VersionQuery;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.ExecutorClaims;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorStart;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One application's executors on Kubernetes: owns a {@link PodAllocator} and a mirror of its pods, sends their requests
 * and reports to the driver. Owned by the application's event loop, on which everything here runs.
 */
public final class KubernetesBackend
        implements SchedulerBackend, PodListener, AllocatorEffect.Handler, AnchorShell.Listener {
    /** Label with the number of an executor, as in Spark. */
    public static final String EXECUTOR_LABEL = "spark-exec-id";

    /** Numbers of executors that one epoch has: those of a later driver follow, so that none is used twice. */
    static final long EPOCH_EXECUTORS_MAX = 100_000;

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesBackend.class);

    private final ApiServer server;
    private final DriverServices driver;
    private final EventLoop loop;
    private final ExecutorPods pods;
    private final OptionalInt deleteGrace;
    private final AllocatorSettings settings;
    private final PodAllocator allocator;
    private final MirrorShell mirror;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final Map<ProfileId, HostWishes> hosts = new LinkedHashMap<>();
    private final Map<ProfileId, ExecutorPods> ofProfiles = new LinkedHashMap<>(); // without the default profile
    private final AnchorShell anchor;
    private final EarlierPods earlier = new EarlierPods();
    private final Adoption adoption = new Adoption();
    private final WakePlan wakes = new WakePlan();
    private Optional<Owner> owner = Optional.empty();
    private long highestExecutor; // of all pods of earlier drivers
    private String staleReason = "";
    private Optional<ClaimRequests> claimRequests = Optional.empty();
    private boolean listed;
    private boolean begun; // the epoch is known to be the highest
    private boolean closing;
    private boolean superseded;
    private boolean adoptionRefused; // said once
    private boolean keepsAnchor;

    public KubernetesBackend(ApiServer server, DriverServices driver, ExecutorPods pods, AllocatorSettings settings) {
        this.server = server;
        this.driver = driver;
        this.loop = driver.loop();
        this.pods = pods;
        this.deleteGrace = OptionalInt.of((int) settings.deleteGrace().toSeconds());
        this.settings = settings;
        this.allocator = new PodAllocator(settings, pods::podName, this::claimName);
        this.mirror =
                new MirrorShell(server, loop, pods.selector(), settings.rules().mirror(), this);
        this.anchor = new AnchorShell(server, loop, pods, this);
    }

    /**
     * Creates the launch orders and begins to watch; {@code driverPod} is the driver's pod, if it has one. {@code
     * mayStartAgain} says that a driver that fails is started again in the same pod.
     */
    public CompletionStage<SchedulerBackend> open(Optional<Owner> driverPod, boolean mayStartAgain) {
        keepsAnchor = mayStartAgain;
        return anchor.begin()
                .thenCompose(placed -> {
                    owner = Optional.of(driverPod.orElseGet(() -> ownerOf(placed)));
                    return openVolumes();
                })
                .thenApply(ready -> {
                    if (!closing) {
                        mirror.start();
                    }
                    return this;
                });
    }

    /** Finds out which claims the server knows, if executors need some. */
    private CompletionStage<Void> openVolumes() {
        if (pods.claims().isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        ExecutorClaims claims = pods.claims().get();
        claimRequests =
                Optional.of(new ClaimRequests(server, loop, claims, pods, this::holder, allocator, this::perform));
        return VersionQuery.ask(server, loop).thenAccept(version -> {
            List<ClaimSpec> specs = claims.specs(settings.claims().mode(version));
            perform(allocator.volumes(volumes -> volumes.open(specs), now()));
        });
    }

    /** The present owner of what is created, and the epoch of this driver. */
    private ClaimRequests.Holder holder() {
        return new ClaimRequests.Holder(owner.orElseThrow(), anchor.epoch());
    }

    private String claimName(long number) {
        return pods.claims().map(claims -> claims.name(number)).orElse("");
    }

    private static Owner ownerOf(ObjectFacts secret) {
        return new Owner("Secret", secret.name(), secret.uid());
    }

    long epoch() {
        return anchor.epoch();
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
        Map<ProfileId, Integer> totals = new LinkedHashMap<>();
        demands.forEach((profile, demand) -> {
            hosts.put(profile, HostWishes.of(demand, excludedHosts));
            totals.put(profile, demand.executors());
        });
        perform(allocator.want(totals, now()));
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
    public void decommissioned(ExecutorId executor) {
        pods.executor(executor.value()).ifPresent(number -> perform(allocator.decommissioned(number, now())));
    }

    @Override
    public void doubted(ExecutorId executor) {
        pods.executor(executor.value()).ifPresent(number -> perform(allocator.doubted(number, now())));
    }

    /** While the API server is away, no report can be expected. */
    @Override
    public Duration lossReportWait() {
        return staleReason.isEmpty() ? SchedulerBackend.super.lossReportWait() : Duration.ZERO;
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        if (!closing) {
            closing = true;
            keepsAnchor &= result != ApplicationResult.FINISHED;
            perform(allocator.close(now()));
        }
        return closed;
    }

    @Override
    public void seen(ObjectFacts pod) {
        if (pods.isOwn(pod)) {
            doubt(pod, pod.requirePod().deleting());
            followed(pod, number -> allocator.seen(number, pod.requirePod(), now()));
            return;
        }
        long epoch = earlier.seen(pod, now());
        pods.executor(pod.label(EXECUTOR_LABEL))
                .ifPresent(number -> highestExecutor = Math.max(highestExecutor, number));
        if (begun && epoch > anchor.epoch()) {
            superseded(epoch);
        } else if (begun && epoch == anchor.epoch() && !closing && !superseded) { // one of the anchors was deleted
            anchor.raise(epoch);
        }
        deleteEarlier();
    }

    @Override
    public void vanished(ObjectFacts pod) {
        PodFacts last = pod.requirePod();
        if (pods.isOwn(pod)) {
            doubt(pod, true);
            followed(pod, number -> allocator.vanished(number, last, now()));
        } else {
            earlier.vanished(pod);
        }
    }

    @Override
    public void listed(long requestedNanos) {
        if (!listed) {
            listed = true;
            if (earlier.highestEpoch() >= anchor.epoch()) { // their anchor is gone
                anchor.raise(earlier.highestEpoch());
            } else {
                start();
            }
        }
        perform(allocator.listed(requestedNanos, now()));
    }

    @Override
    public void raised() {
        if (earlier.highestEpoch() >= anchor.epoch()) {
            anchor.raise(earlier.highestEpoch());
        } else if (begun) {
            earlier.raised(now());
            deleteEarlier();
        } else if (listed) {
            start();
        }
    }

    /** Begins to create executors, as the pods of earlier drivers are known. */
    private void start() {
        begun = true;
        long blocks = (anchor.epoch() - 1) * EPOCH_EXECUTORS_MAX;
        allocator.startAt(Math.max(blocks, highestExecutor) + 1);
        perform(allocator.stale(staleReason, now()));
        deleteEarlier();
    }

    private void deleteEarlier() {
        if (!begun || closing || superseded) {
            return;
        }
        List<Long> epochs = earlier.take(anchor.epoch(), now());
        if (!epochs.isEmpty()) {
            LOG.info("pods of earlier drivers of {}: deletes them", application());
            server.deleteAll(
                    Resource.POD,
                    pods.epochSelector(epochs),
                    deleteGrace,
                    answer -> loop.execute(() -> {
                        earlier.deleted(answer, now());
                        deleteEarlier();
                    }));
            if (pods.claims().isPresent()) { // what remains is deleted with the driver's pod
                server.deleteAll(
                        Resource.PERSISTENT_VOLUME_CLAIM,
                        pods.epochSelector(epochs),
                        OptionalInt.empty(),
                        answer -> LOG.debug("claims of earlier drivers of {}: {}", application(), Words.of(answer)));
            }
        }
        wakes.plan(earlier.remaining(now()), now())
                .ifPresent(after -> loop.schedule(after, () -> {
                    wakes.woken();
                    deleteEarlier();
                }));
    }

    /** Looks for the anchor if a stranger deletes a pod that it owns: the cluster deletes pods whose owner is gone. */
    private void doubt(ObjectFacts pod, boolean deleted) {
        if (deleted && pods.renews() && !closing && !superseded) {
            boolean unexpected =
                    pods.executor(pod.label(EXECUTOR_LABEL)).stream().anyMatch(number -> allocator.isWanted(number));
            if (unexpected) {
                anchor.doubt();
            }
        }
    }

    @Override
    public void recreated(ObjectFacts secret) {
        if (pods.renews()) {
            owner = Optional.of(ownerOf(secret));
            adopt(adoption.begin(
                    allocator.wantedExecutors().stream().map(pods::podName).toList()));
        }
    }

    private void adopt(List<String> names) {
        for (String name : names) {
            server.patch(
                    Resource.POD,
                    name,
                    pods.adoption(owner.orElseThrow()),
                    answer -> loop.execute(() -> {
                        Adoption.problem(answer)
                                .filter(words -> !adoptionRefused)
                                .ifPresent(words -> {
                                    adoptionRefused = true;
                                    LOG.warn(
                                            "pods of {}: not adopted: {} (expected: the right to patch pods); they stay if this"
                                                    + " driver is killed",
                                            application(),
                                            words);
                                });
                        adopt(adoption.answered(name, answer));
                    }));
        }
    }

    @Override
    public void superseded(long epoch) {
        if (!superseded && !closing) {
            superseded = true;
            anchor.superseded();
            perform(allocator.superseded(now()));
            report(() -> driver.listener()
                    .clusterLost(
                            ErrorCode.CLUSTER_LOST.failure("application " + application() + ": another driver, number "
                                    + epoch + ", has taken it over from this one, number " + anchor.epoch()
                                    + " (expected: one driver); this one ends, and deletes nothing")));
        }
    }

    @Override
    public void stale(String reason) {
        staleReason = reason;
        if (begun || !reason.isEmpty()) {
            perform(allocator.stale(reason, now()));
        }
    }

    @Override
    public void onCreatePod(AllocatorEffect.CreatePod effect) {
        ApiObject pod = pods(effect.profile())
                .pod(
                        effect.executor(),
                        anchor.epoch(),
                        owner.orElseThrow(),
                        hosts.getOrDefault(effect.profile(), HostWishes.NONE),
                        effect.claims());
        String nonce = pod.labels().getOrDefault(Placement.NONCE, "");
        server.create(
                pod,
                answer -> loop.execute(
                        () -> perform(allocator.created(effect.executor(), answer, isOurs(answer, nonce), now()))));
    }

    private ExecutorPods pods(ProfileId profile) {
        return profile.equals(ProfileId.DEFAULT)
                ? pods
                : ofProfiles.computeIfAbsent(profile, added -> pods.of(driver.profile(added)));
    }

    @Override
    public void onVolumes(AllocatorEffect.OfVolumes effect) {
        claimRequests.ifPresent(effect.effect()::perform);
    }

    @Override
    public void onReadPod(AllocatorEffect.ReadPod effect) {
        server.read(
                Resource.POD,
                pods.podName(effect.executor()),
                answer -> loop.execute(() -> perform(allocator.read(effect.executor(), answer, now()))));
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
                Resource.POD, pods.ownSelector(), deleteGrace, answer -> loop.execute(() -> deleteAllClaims(answer)));
    }

    /** Deletes the claims as well; the cluster keeps each of them until no pod has it. */
    private void deleteAllClaims(Answer ofPods) {
        boolean succeeded = ofPods instanceof Answer.Done || ofPods instanceof Answer.Missing;
        if (!succeeded || pods.claims().isEmpty()) {
            perform(allocator.allDeleted(ofPods, now()));
            return;
        }
        server.deleteAll(
                Resource.PERSISTENT_VOLUME_CLAIM,
                pods.claims().get().selector(),
                OptionalInt.empty(),
                answer -> loop.execute(() -> perform(allocator.allDeleted(answer, now()))));
    }

    @Override
    public void onLabelPod(AllocatorEffect.LabelPod effect) {
        String pod = pods.podName(effect.executor());
        server.patch(Resource.POD, pod, labelPatch(effect.labels()), answer -> {
            if (answer instanceof Answer.Refused refused) {
                LOG.warn(
                        "pod {}: labels {} not set: {} (expected: the right to patch pods)",
                        pod,
                        effect.labels(),
                        refused.words());
            }
        });
    }

    @Override
    public void onStarted(AllocatorEffect.Started effect) {
        ExecutorStart start = ExecutorStart.of(
                        id(effect.executor()),
                        effect.node(),
                        pods(effect.profile()).cores())
                .with(effect.profile())
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
        // the collector of the cluster deletes the pods that remain with their owner
        anchor.release(!superseded && !keepsAnchor).thenRun(this::finish);
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

    private static String labelPatch(Map<String, String> labels) {
        ObjectNode patch = Json.object();
        labels.forEach(patch.putObject("metadata").putObject("labels")::put);
        return Json.text(patch);
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
