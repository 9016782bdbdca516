package dev.hearth.standalone.internal.client;

import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.ClusterClient;
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
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingKey;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Cluster manager for {@code hearth://host:port} master URLs. Immutable. */
@Component(service = ClusterManager.class, property = ClusterManager.SCHEME + "=hearth")
public final class StandaloneManager implements ClusterManager {
    /** Read by drivers of applications. */
    public static final SettingKey<Duration> AWAY_MAX = SettingKey.duration(
            "hearth.cluster.awayMax",
            Duration.ZERO,
            Duration.ZERO,
            "Time without a master after which an application on a standalone cluster fails; 0 stands for no limit.");

    private final Supplier<BundleSet> frozen;

    /** Creates a manager that sends to drivers the bundles that {@code loaders} freeze for them. */
    @Activate
    public StandaloneManager(@Reference ApplicationLoaders loaders) {
        this.frozen = loaders::freezeForDriver;
    }

    /** Creates a manager that sends no bundles. */
    public StandaloneManager() {
        this.frozen = () -> BundleSet.NONE;
    }

    @Override
    public Set<DeployMode> deployModes() {
        return EnumSet.allOf(DeployMode.class);
    }

    @Override
    public void validate(MasterUrl master) {
        MasterAddresses.parse(master);
    }

    @Override
    public Map<String, String> defaults(MasterUrl master) {
        return Map.of();
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver) {
        return new StandaloneBackend(application, master, driver).open();
    }

    @Override
    public CompletionStage<SubmissionId> submit(
            SubmissionPlan plan, MasterUrl master, SubmissionServices services, SubmissionListener listener) {
        return new ProtocolChoice(master, services)
                .submit(
                        plan,
                        listener,
                        () -> new StandaloneSubmitter(master, services, frozen)
                                .submit(plan, StandaloneClient.request(plan), listener));
    }

    @Override
    public CompletionStage<SubmissionStatus> status(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return new ProtocolChoice(master, services)
                .status(submission, () -> new StandaloneSubmitter(master, services).status(submission));
    }

    @Override
    public CompletionStage<SubmissionStatus> kill(
            SubmissionId submission, MasterUrl master, SubmissionServices services) {
        return new ProtocolChoice(master, services)
                .kill(submission, () -> new StandaloneSubmitter(master, services).kill(submission));
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> status(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return pattern.single().isPresent()
                ? ClusterManager.super.status(pattern, master, services)
                : new StandaloneSubmitter(master, services).status(pattern);
    }

    @Override
    public CompletionStage<List<SubmissionStatus>> kill(
            SubmissionPattern pattern, MasterUrl master, SubmissionServices services) {
        return pattern.single().isPresent()
                ? ClusterManager.super.kill(pattern, master, services)
                : new StandaloneSubmitter(master, services).kill(pattern);
    }

    @Override
    public CompletionStage<Integer> clear(MasterUrl master, SubmissionServices services) {
        return new StandaloneSubmitter(master, services).clear();
    }

    @Override
    public ClusterClient client(MasterUrl master, SubmissionServices services) {
        return new StandaloneClient(master, services);
    }

    @Override
    public ClusterView view(MasterUrl master, SubmissionServices services) {
        return new StandaloneView(master, services);
    }
}
