package dev.hearth.kubernetes.internal.manager;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Owner;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.client.ApiServerAccess;
import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.executors.AllocatorSettings;
import dev.hearth.kubernetes.internal.executors.KubernetesBackend;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.ApplicationPods;
import dev.hearth.kubernetes.internal.pod.PodSettings;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Cluster manager for {@code k8s} and {@code k8s://host:port} master URLs; client mode alone. Stateless. */
@Component(service = ClusterManager.class, property = ClusterManager.SCHEME + "=k8s")
public final class KubernetesManager implements ClusterManager {
    private static final String IN_POD = "KUBERNETES_SERVICE_HOST";
    private static final String DRIVER_HOST = "hearth.driver.host";

    private final String version;
    private final Map<String, String> environment;

    @Activate
    public KubernetesManager(@Reference KernelInfo kernel) {
        this(kernel.version(), System.getenv());
    }

    /** Manager of version {@code version} in a process with these variables. */
    KubernetesManager(String version, Map<String, String> environment) {
        this.version = version;
        this.environment = environment;
    }

    @Override
    public Set<DeployMode> deployModes() {
        return Set.of(DeployMode.CLIENT);
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
        SettingCheck.check(plan.settings(), isInPod());
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        Settings settings = application.settings();
        ClusterSettings cluster = ClusterSettings.from(settings);
        SettingsReader in = new SettingsReader(settings);
        PodSettings pods = PodSettings.read(in);
        AllocatorSettings allocation = KubernetesSettings.allocation(in);
        Optional<String> driverPod = in.find(KubernetesSettings.DRIVER_POD).filter(name -> !name.isEmpty());
        in.finish();
        ApplicationPods requests = new ApplicationPods(
                ApplicationPods.Identity.of(
                        application.name(),
                        pods.namePrefix(),
                        UUID.randomUUID().toString().replace("-", ""),
                        System.getProperty("user.name", "hearth"),
                        version),
                pods,
                driver.profile(ProfileId.DEFAULT),
                driver.driverEndpoint(),
                driver.executorSettings().values());
        Executor blocking = task -> {
            Thread thread = new Thread(task, "hearth-kubernetes-open");
            thread.setDaemon(true);
            thread.start();
        };
        return CompletableFuture.supplyAsync(() -> ApiServerAccess.open(master, cluster), blocking)
                .thenComposeAsync(
                        server -> open(server, driverPod, new KubernetesBackend(server, driver, requests, allocation)),
                        driver.loop());
    }

    private static CompletionStage<SchedulerBackend> open(
            ApiServer server, Optional<String> driverPod, KubernetesBackend backend) {
        CompletionStage<SchedulerBackend> opened = driverPod
                .map(name -> owner(server, name).thenCompose(owner -> backend.open(Optional.of(owner))))
                .orElseGet(() -> backend.open(Optional.empty()));
        return opened.whenComplete((done, failure) -> {
            if (failure != null) {
                server.close();
            }
        });
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
