package dev.hearth.yarn.internal.manager;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.ClusterView;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import dev.hearth.yarn.internal.logs.YarnView;
import dev.hearth.yarn.internal.settings.QueueSettings;
import dev.hearth.yarn.internal.site.ClusterAddress;
import dev.hearth.yarn.internal.site.HadoopSite;
import dev.hearth.yarn.internal.submission.SubmissionTools;
import dev.hearth.yarn.internal.submission.YarnSubmitter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Cluster manager for {@code yarn}, {@code yarn[DIR]} and {@code yarn://host:port} master URLs. Immutable. */
@Component(service = ClusterManager.class, property = ClusterManager.SCHEME + "=yarn")
public final class YarnManager implements ClusterManager {
    private static final Logger LOG = LoggerFactory.getLogger(YarnManager.class);
    /** Variable of each container. */
    private static final String CONTAINER = "CONTAINER_ID";

    private final @Nullable YarnBackends backends;
    private final YarnSubmitter submitter;
    private final Map<String, String> environment;
    private final Preparation preparation;

    /** Packages of this bundle that submissions in cluster mode use. */
    private static final Set<String> SUBMITTING = Stream.of(
                    "cluster", "launch", "manager", "settings", "site", "store", "submission")
            .map(name -> "dev.hearth.yarn.internal." + name)
            .collect(Collectors.toUnmodifiableSet());

    /** Loads the classes that starts need. */
    interface Preparation {
        void all() throws Exception;

        void submission() throws Exception;

        /** Begins to start Hadoop, which an application that was checked will need. */
        void begin();
    }

    /** By the classes of Hadoop and of this bundle. */
    private record HadoopPreparation(HadoopRuntime hadoop) implements Preparation {
        @Override
        public void all() throws Exception {
            hadoop.prepare(YarnManager.class);
        }

        @Override
        public void submission() throws Exception {
            hadoop.prepareSubmission(YarnManager.class, SUBMITTING);
        }

        @Override
        public void begin() {
            hadoop.begin();
        }
    }

    @Activate
    public YarnManager(
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable YarnBackends backends,
            @Reference HadoopRuntime hadoop,
            @Reference Installation installation,
            @Reference ProcessLauncher launcher,
            @Reference ApplicationLoaders loaders) {
        this(
                backends,
                new YarnSubmitter(
                        new SubmissionTools(
                                installation, launcher, loaders::freezeForDriver, new HadoopSessions(hadoop)),
                        System::currentTimeMillis),
                System.getenv(),
                new HadoopPreparation(hadoop));
    }

    /** Manager in a process with the variables {@code environment}. */
    YarnManager(
            @Nullable YarnBackends backends,
            YarnSubmitter submitter,
            Map<String, String> environment,
            Preparation preparation) {
        this.backends = backends;
        this.submitter = submitter;
        this.environment = environment;
        this.preparation = preparation;
    }

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.allOf(DeployMode.class);
    }

    @Override
    public void validate(MasterUrl master) {
        ClusterAddress.of(master);
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        Map<String, String> defaults = new LinkedHashMap<>();
        defaults.put("hearth.executor.instances", "2");
        defaults.put("hearth.executor.cores", "1");
        defaults.put("hearth.scheduler.minRegisteredResourcesRatio", "0.8");
        defaults.put("hearth.authenticate", "true");
        defaults.put("hearth.authenticate.applicationSecret", Secret.random().reveal());
        DriverAddress.find(HadoopSite.of(master, Settings.empty(), environment), environment)
                .ifPresent(address -> {
                    defaults.put("hearth.driver.host", address);
                    defaults.put("hearth.ui.host", address);
                });
        defaults.put("hearth.ui.enabled", "true"); // for the tracking URL
        defaults.put("hearth.ui.port", "0"); // any, because users come through the proxy
        return defaults;
    }

    @Override
    public void check(SubmissionPlan plan, MasterUrl master, DeployMode mode) {
        YarnSettingCheck.hints(plan.settings()).forEach(LOG::warn);
        boolean inContainer = environment.containsKey(CONTAINER);
        YarnSettingCheck.check(plan.settings(), mode, file -> inContainer || isFile(file));
        if (!inContainer) {
            HadoopSite.of(master, YarnFormerSettings.resolved(plan.settings()), environment)
                    .requireCluster();
            preparation.begin(); // while the front end goes on
        }
    }

    private static boolean isFile(String path) {
        try {
            return Files.isRegularFile(Path.of(path.replaceFirst("^(file|local):(//)?", "")));
        } catch (InvalidPathException illegal) {
            return false;
        }
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        if (backends == null) {
            return CompletableFuture.failedStage(ErrorCode.START_FAILED.failure("master " + master
                    + ": the bundle hearth-yarn lacks Hadoop's classes here (expected: hearth-hadoop-client in bundles/,"
                    + " as in the distribution hearth-with-hadoop)"));
        }
        return backends.open(application, master, driver, YarnFormerSettings.resolved(application.settings()));
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        String random = (plan.requestId().isEmpty()
                        ? UUID.randomUUID()
                        : UUID.nameUUIDFromBytes(plan.requestId().getBytes(UTF_8)))
                .toString();
        SubmissionPlan resolved = plan.but()
                .settings(YarnFormerSettings.resolved(plan.settings()))
                .build();
        return submitter.submit(
                resolved, master, services, listener, random, Secret.random().reveal());
    }

    @Override
    public ClusterView view(MasterUrl master, SubmissionServices services) {
        Settings settings = YarnFormerSettings.resolved(services.settings());
        HadoopSite site = HadoopSite.of(master, settings, services.environment());
        site.requireCluster();
        return new YarnView(
                submitter.sessions(), site, settings, new SettingsReader(settings).read(QueueSettings.TYPE), services);
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return status(new SubmissionPattern(submission.value()), master, services)
                .thenApply(found -> found.get(0)); // a single one that is unknown fails
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return kill(new SubmissionPattern(submission.value()), master, services).thenApply(found -> found.get(0));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return submitter.status(pattern, master, services, YarnFormerSettings.resolved(services.settings()));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return submitter.kill(pattern, master, services, YarnFormerSettings.resolved(services.settings()));
    }

    @Override
    public void prepare() throws Exception {
        preparation.all();
    }

    @Override
    public void prepareSubmission() throws Exception {
        preparation.submission();
    }
}
