package dev.hearth.yarn.internal.driver;

import dev.hearth.hadoopclient.api.HadoopRuntime;
import dev.hearth.spi.application.ApplicationLoaders;
import dev.hearth.spi.cluster.ApplicationLinks;
import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.process.ProcessLauncher;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.backend.ContextSetup;
import dev.hearth.yarn.internal.backend.YarnMetrics;
import dev.hearth.yarn.internal.launch.ContainerLaunches;
import dev.hearth.yarn.internal.launch.ProcessLaunches;
import dev.hearth.yarn.internal.launch.ProcessOptions;
import dev.hearth.yarn.internal.manager.YarnBackends;
import dev.hearth.yarn.internal.pages.YarnProxy;
import dev.hearth.yarn.internal.site.HadoopSite;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.apache.hadoop.security.UserGroupInformation;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;

/** Backends of drivers: in the application of their seat, if they have one, else in an application of their own. */
@Component(service = YarnBackends.class)
public final class ApplicationBackends implements YarnBackends {
    private final ClientOpening.Shared shared;
    private final SeatedDriver seat;

    @Activate
    public ApplicationBackends(
            @Reference HadoopRuntime runtime,
            @Reference ProcessLauncher launcher,
            @Reference Installation installation,
            @Reference YarnMetrics metrics,
            @Reference YarnProxy proxy,
            @Reference SeatedDriver seat,
            @Reference ApplicationLoaders loaders) {
        this.shared = new ClientOpening.Shared(
                runtime, launcher, installation, metrics, proxy, System.getenv(), loaders::freezeForDriver);
        this.seat = seat;
    }

    @Override
    public CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver, Settings settings) {
        Optional<SeatedApplication> seated = seat.seated();
        return seated.isPresent()
                ? CompletableFuture.completedFuture(join(seated.get(), driver, settings))
                : new ClientOpening(shared, application, settings, driver)
                        .open(HadoopSite.of(master, settings, shared.environment()));
    }

    /** Adds a context to the application of this driver. */
    private SchedulerBackend join(SeatedApplication seated, DriverServices driver, Settings settings) {
        BackendSettings parts = BackendSettings.from(settings);
        ProcessLaunches processes = new ProcessLaunches(
                shared.launcher(),
                new ProcessOptions(
                        parts.am().javaHome(),
                        UserGroupInformation.isSecurityEnabled() ? Optional.empty() : Optional.of(seated.user()),
                        parts.allocation().limitsProcessors(),
                        parts.acls().lists(seated.user())));
        return seated.application()
                .context(
                        driver,
                        new ContextSetup(
                                new ContainerLaunches(
                                        processes,
                                        seated.id(),
                                        driver.driverEndpoint(),
                                        driver.executorSettings().values(),
                                        ProfileNeeds.of(settings),
                                        seated.files(),
                                        seated.application()::tokens),
                                ProfileNeeds.of(settings),
                                ApplicationLinks.NONE,
                                false));
    }
}
