package dev.hearth.kubernetes.internal.manager;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.client.ApiServerAccess;
import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.client.OpenServers;
import dev.hearth.kubernetes.internal.executors.AllocatorSettings;
import dev.hearth.kubernetes.internal.executors.KubernetesBackend;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.ApplicationPods;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.PodSettings;
import dev.hearth.kubernetes.internal.rehearsal.Rehearsal;
import dev.hearth.kubernetes.internal.submission.DriverQueries;
import dev.hearth.kubernetes.internal.submission.Submitter;
import dev.hearth.kubernetes.internal.sweep.SweepShell;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ContainerSize;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cluster manager for {@code k8s} and {@code k8s://host:port} master URLs. Stateless. */
@Component(service = ClusterManager.class, property = ClusterManager.SCHEME + "=k8s")
public final class KubernetesManager implements ClusterManager {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesManager.class);
    /** Time after which a driver sweeps: its executors come first. */
    private static final Duration SWEEP_AFTER = Duration.ofSeconds(10);

    private static final String IN_POD = "KUBERNETES_SERVICE_HOST";
    private static final String DRIVER_HOST = "hearth.driver.host";

    private final String version;
    private final OpenServers servers;
    private final Map<String, String> environment;

    @Activate
    public KubernetesManager(@Reference KernelInfo kernel, @Reference OpenServers servers) {
        this(kernel.version(), servers, System.getenv());
    }

    /** Manager of version {@code version} in a process with these variables. */
    KubernetesManager(String version, OpenServers servers, Map<String, String> environment) {
        this.version = version;
        this.servers = servers;
        this.environment = environment;
    }

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.allOf(DeployMode.class);
    }

    @Override
    public void validate(MasterUrl master) {
        if (!ApiServerAccess.isWellFormed(master)) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    "master " + master + ": (expected: k8s, k8s://host:port or k8s://https://host:port)");
        }
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("hearth.driver.port", "7078");
        defaults.put("hearth.blockManager.port", "7079");
        defaults.put("hearth.executor.instances", "2");
        defaults.put("hearth.executor.cores", "1");
        defaults.put("hearth.scheduler.minRegisteredResourcesRatio", "0.8");
        defaults.put("hearth.authenticate", "true");
        defaults.put("hearth.authenticate.applicationSecret", Secret.random().reveal());
        if (isInPod()) {
            ownAddress().ifPresent(address -> defaults.put(DRIVER_HOST, address));
        }
        return defaults;
    }

    @Override
    public void check(SubmissionPlan plan, MasterUrl master, DeployMode mode) {
        FormerSettings.hints(plan.settings()).forEach(LOG::warn);
        SettingCheck.check(plan.settings(), isInPod(), mode);
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        Settings settings = FormerSettings.resolved(application.settings());
        ClusterSettings cluster = ClusterSettings.from(settings);
        SettingsReader in = new SettingsReader(settings);
        PodSettings pods = PodSettings.read(in);
        AllocatorSettings allocation = KubernetesSettings.allocation(in);
        Optional<String> driverPod = in.find(KubernetesSettings.DRIVER_POD).filter(name -> !name.isEmpty());
        ApplicationPods.Identity identity = identity(application.name(), pods, in);
        boolean startsAgain = driverPod.isPresent()
                && in.find(KubernetesSettings.APPLICATION)
                        .filter(id -> !id.isEmpty())
                        .isPresent();
        ExecutorProfile profile = withMemory(driver.profile(ProfileId.DEFAULT), ContainerSize.ofExecutor(in));
        in.finish();
        ApplicationPods requests = new ApplicationPods(
                identity,
                pods,
                profile,
                driver.driverEndpoint(),
                driver.executorSettings().values());
        Executor blocking = task -> {
            Thread thread = new Thread(task, "hearth-kubernetes-open");
            thread.setDaemon(true);
            thread.start();
        };
        Optional<Owner> known = startsAgain ? ownPod(driverPod.get()) : Optional.empty();
        return CompletableFuture.supplyAsync(() -> servers.open(environment, master, cluster), blocking)
                .thenComposeAsync(
                        server -> open(
                                        server,
                                        driverPod,
                                        known,
                                        startsAgain,
                                        owner -> new KubernetesBackend(
                                                server, driver, requests.ownedBy(owner), allocation))
                                .thenApply(backend -> {
                                    if (startsAgain) {
                                        driver.loop().schedule(SWEEP_AFTER, () -> sweep(server, driver.loop()));
                                    }
                                    return backend;
                                }),
                        driver.loop());
    }

    /** Deletes what has been left in the namespace, as far as the account of the driver may. */
    private static void sweep(ApiServer server, EventLoop loop) {
        new SweepShell(server, loop, SweepShell.AGE)
                .run()
                .thenAccept(result -> LOG.debug("sweep of namespace {}: {}", server.namespace(), result));
    }

    /** The profile with {@code memory}, which the engine does not know by its former settings. */
    static ExecutorProfile withMemory(ExecutorProfile profile, ContainerSize memory) {
        return new ExecutorProfile(profile.id(), profile.cores(), memory, profile.resources(), profile.options());
    }

    /** Identity of an application: that of its submission if the driver runs on the cluster, with a random nonce. */
    private ApplicationPods.Identity identity(String name, PodSettings pods, SettingsReader in) {
        String random = randomDigits();
        Optional<String> prefix = in.find(KubernetesSettings.NAME_PREFIX).filter(text -> !text.isEmpty());
        ApplicationPods.Identity made = ApplicationPods.Identity.of(
                name, pods.namePrefix().or(() -> prefix), random, System.getProperty("user.name", "hearth"), version);
        return in.find(KubernetesSettings.APPLICATION)
                .filter(text -> !text.isEmpty())
                .map(id -> new ApplicationPods.Identity(
                        new ApplicationId(id), name, made.prefix(), random, made.user(), version))
                .orElse(made);
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        String random = plan.requestId().isEmpty()
                ? randomDigits()
                : UUID.nameUUIDFromBytes(plan.requestId().getBytes(UTF_8))
                        .toString()
                        .replace("-", "");
        return new Submitter(
                        plan.but()
                                .settings(FormerSettings.resolved(plan.settings()))
                                .build(),
                        services,
                        listener,
                        settings -> connected(servers.open(environment, master, settings.cluster())),
                        new Submitter.Randomness(random, Secret.random().reveal()),
                        version)
                .submit();
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return queries(master, services)
                .status(new SubmissionPattern(submission.value()))
                .thenApply(found -> single(submission, master, found));
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return queries(master, services)
                .kill(new SubmissionPattern(submission.value()))
                .thenApply(found -> single(submission, master, found));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return queries(master, services).status(pattern);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return queries(master, services).kill(pattern);
    }

    /** The server, after the first request has been sent, with which it connects while others are prepared. */
    private static ApiServer connected(ApiServer server) {
        server.version(answer -> LOG.trace("API server: {}", answer));
        return server;
    }

    private DriverQueries queries(MasterUrl master, SubmissionServices services) {
        return new DriverQueries(master, services, settings -> servers.open(environment, master, settings));
    }

    private static SubmissionStatus single(SubmissionId submission, MasterUrl master, List<SubmissionStatus> found) {
        return found.stream()
                .findFirst()
                .orElseThrow(() -> ErrorCode.SUBMISSION_UNKNOWN.failure("submission '" + submission
                        + "': no driver's pod of that name on " + master + " (expected: NAMESPACE:POD)"));
    }

    private static String randomDigits() {
        return UUID.randomUUID().toString().replace("-", "");
    }

    private static CompletionStage<SchedulerBackend> open(
            ApiServer server,
            Optional<String> driverPod,
            Optional<Owner> known,
            boolean startsAgain,
            Function<Optional<Owner>, KubernetesBackend> backends) {
        CompletionStage<SchedulerBackend> opened = driverPod
                .map(name -> known.map(CompletableFuture::completedStage)
                        .orElseGet(() -> owner(server, name))
                        .thenCompose(owner -> backends.apply(Optional.of(owner)).open(Optional.of(owner), startsAgain)))
                .orElseGet(() -> backends.apply(Optional.empty()).open(Optional.empty(), false));
        return opened.whenComplete((done, failure) -> {
            if (failure != null) {
                server.close();
            }
        });
    }

    /** The pod of this driver, if it is {@code name} and its uid is known from the submission. */
    private Optional<Owner> ownPod(String name) {
        String uid = environment.getOrDefault(DriverObjects.POD_UID, "");
        boolean isOwn = environment.getOrDefault(DriverObjects.POD_NAME, "").equals(name);
        return isOwn && !uid.isEmpty() ? Optional.of(new Owner("Pod", name, uid)) : Optional.empty();
    }

    /** Looks up the driver's pod, which owns the pods of its executors. */
    private static CompletionStage<Owner> owner(ApiServer server, String name) {
        CompletableFuture<Owner> owner = new CompletableFuture<>();
        server.read(Resource.POD, name, answer -> {
            if (answer instanceof Answer.Done done && done.object().isPresent()) {
                owner.complete(new Owner("Pod", name, done.object().get().uid()));
            } else {
                owner.completeExceptionally(ErrorCode.BAD_SETTING.failure(KubernetesSettings.DRIVER_POD + ": " + name
                        + " in namespace " + server.namespace() + ": " + Words.of(answer)
                        + " (expected: the pod of this driver)"));
            }
        });
        return owner;
    }

    @Override
    public void prepare() throws Exception {
        Rehearsal.run(variables -> new KubernetesManager(version, new OpenServers(), variables));
    }

    private boolean isInPod() {
        return environment.containsKey(IN_POD);
    }

    private static Optional<String> ownAddress() {
        try {
            return Optional.of(InetAddress.getLocalHost().getHostAddress());
        } catch (UnknownHostException unknown) {
            return Optional.empty(); // then the user names the address, as the check demands
        }
    }
}
