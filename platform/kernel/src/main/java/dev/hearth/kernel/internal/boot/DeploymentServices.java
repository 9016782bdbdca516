package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.deploy.DeploySettings;
import dev.hearth.kernel.internal.deploy.DeployerFactory;
import dev.hearth.kernel.internal.deploy.DirectoryDeployer;
import dev.hearth.kernel.internal.deploy.DisabledDeployer;
import dev.hearth.kernel.internal.inventory.FrameworkInventory;
import dev.hearth.kernel.internal.inventory.MissingRequirements;
import dev.hearth.kernel.internal.live.BundleUsage;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.kernel.internal.live.LiveServicesFactory;
import dev.hearth.kernel.internal.rules.RuleFiles;
import dev.hearth.spi.cluster.InstalledRules;
import dev.hearth.spi.kernel.BundleUsers;
import dev.hearth.spi.kernel.Deployer;
import dev.hearth.spi.kernel.Installation;
import dev.hearth.spi.kernel.Inventory;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.live.LiveServices;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Services for bundles that are deployed and replaced at run time. Owned by {@link RoleProcess} and used by the main
 * thread.
 */
final class DeploymentServices implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DeploymentServices.class);
    /**
     * Maximum wait, at the start, for the bundles in deploy/. After it the role begins without the bundles that do not
     * run yet.
     */
    private static final Duration SETTLE_WAIT = Duration.ofSeconds(10);

    private final Role role;
    private final BundleUsageRegistry uses;
    private final RunningKernelInfo info;
    private final Optional<DirectoryDeployer> watching;

    private DeploymentServices(
            Role role, BundleUsageRegistry uses, RunningKernelInfo info, Optional<DirectoryDeployer> watching) {
        this.role = role;
        this.uses = uses;
        this.info = info;
        this.watching = watching;
    }

    /** Registers the services; {@code cache} is a directory that only this process uses. */
    static DeploymentServices register(
            BundleContext context,
            Home home,
            Role role,
            Settings settings,
            Path cache,
            BundleUsageRegistry uses,
            OnDemandBundleStarter reserves,
            DeployerFactory.StartPolicy policy) {
        DeploySettings own = DeploySettings.from(settings);
        Path directory = own.directory(home.root());
        MissingRequirements missing = new MissingRequirements(context, List.of(home.bundles(), directory));
        Optional<DirectoryDeployer> watching = Optional.empty();
        if (role.deploy()) {
            DeployerFactory setup = new DeployerFactory(
                    context,
                    uses,
                    missing,
                    directory,
                    cache.resolve("deployed"),
                    home.lib(),
                    own.drainTimeout(),
                    policy,
                    DeployerFactory.INTERVAL);
            DirectoryDeployer opened = setup.open();
            reserves.alsoIn(opened::startFor);
            watching = Optional.of(opened);
        }
        Deployer deployer = watching.<Deployer>map(found -> found).orElseGet(() -> new DisabledDeployer(role.name()));
        RunningKernelInfo info = new RunningKernelInfo(role.name(), home.root(), cache, settings);
        context.registerService(Deployer.class, deployer, null);
        context.registerService(KernelInfo.class, info, null);
        context.registerService(Installation.class, InstallationArchives.of(home), null);
        context.registerService(Inventory.class, new FrameworkInventory(context, missing, deployer), null);
        context.registerService(
                BundleUsers.class,
                id -> Optional.ofNullable(context.getBundle(id))
                        .map(bundle -> uses.of(bundle).holders())
                        .orElse(List.of()),
                null);
        registerLive(context, uses, reserves, own);
        registerOnDemand(context, reserves, home);
        context.registerService(
                InstalledRules.class, new RuleFiles(home.lib(), home.bundles(), directory, LOG::warn), null);
        registerServeRole(context, role);
        return new DeploymentServices(role, uses, info, watching);
    }

    private static void registerServeRole(BundleContext context, Role role) {
        if (role.name().equals(ServeRole.NAME)) {
            context.registerService(
                    RoleMain.class,
                    new ServeRole(context),
                    FrameworkUtil.asDictionary(Map.of(RoleMain.ROLE, ServeRole.NAME)));
        }
    }

    private static void registerLive(
            BundleContext context, BundleUsageRegistry uses, OnDemandBundleStarter reserves, DeploySettings own) {
        ServiceReference<LiveServices> live = context.registerService(
                        LiveServices.class,
                        new LiveServicesFactory(context, uses, own.providerWait(), reserves::startForService),
                        null)
                .getReference();
        LazyRpcEnvFactory.register(context, context.getService(live), reserves, uses);
    }

    private static void registerOnDemand(BundleContext context, OnDemandBundleStarter reserves, Home home) {
        RegisteredSettings declared = new RegisteredSettings(context, home.root());
        context.registerService(
                OnDemandBundles.class, new ApplicationBundles(reserves, declared, new BundleHints(home.lib())), null);
    }

    /** Returns the rules by which the bundles of deploy/ start in this process. */
    static DeployerFactory.StartPolicy policy(
            Kernel kernel, Home home, OnDemandBundleStarter reserves, RoleStartRules rules) {
        return new DeployerFactory.StartPolicy(
                () -> startAll(reserves), rules, new NeededBundles(kernel, home.bundles()));
    }

    /** Starts all on-demand bundles. Only logs a failure, which must not prevent deployed bundles from running. */
    private static void startAll(OnDemandBundleStarter reserves) {
        try {
            reserves.startAll();
        } catch (HearthException failure) {
            LOG.warn("deploy: {}", failure.getMessage());
        }
    }

    /**
     * Starts to watch deploy/, and waits until each of its bundles runs or is refused, but at most {@code SETTLE_WAIT}.
     */
    void settle() throws InterruptedException {
        if (watching.isPresent()) {
            CountDownLatch settled = new CountDownLatch(1);
            watching.get().start();
            watching.get().whenSettled(settled::countDown);
            if (!settled.await(SETTLE_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "deploy: bundles still starting after {} s (expected: started); role {} begins without them",
                        SETTLE_WAIT.toSeconds(),
                        role.name());
            }
        }
    }

    /**
     * Records that the process uses the bundle of its role until the process ends, so that this bundle is never
     * replaced.
     */
    void begin(RoleMain work) {
        Bundle bundle = FrameworkUtil.getBundle(work.getClass());
        if (bundle != null) { // null if the kernel itself implements the role
            Optional<BundleUsage.Hold> forGood = uses.of(bundle).takeForGood("role " + role.name());
            forGood.ifPresentOrElse(
                    hold -> LOG.debug("role {}: runs in {}", role.name(), bundle),
                    () -> LOG.warn("role {}: {} is being stopped while its work begins", role.name(), bundle));
        }
        info.started();
    }

    /** Stops watching deploy/. */
    @Override
    public void close() {
        info.ending();
        watching.ifPresent(DirectoryDeployer::close);
    }
}
