package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.deploy.DeploySettings;
import dev.hearth.kernel.internal.deploy.DeploySetup;
import dev.hearth.kernel.internal.deploy.DirectoryDeployer;
import dev.hearth.kernel.internal.deploy.IdleDeployer;
import dev.hearth.kernel.internal.inventory.Missing;
import dev.hearth.kernel.internal.inventory.RunningInventory;
import dev.hearth.kernel.internal.live.BundleUse;
import dev.hearth.kernel.internal.live.TrackedServices;
import dev.hearth.kernel.internal.live.Uses;
import dev.hearth.spi.kernel.BundleUsers;
import dev.hearth.spi.kernel.Deployer;
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

/** Services for bundles that are deployed and replaced at run time. Owned by {@link RoleProcess}, main thread. */
final class Hosting implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Hosting.class);
    /** Maximum wait for bundles in deploy/ at the start; after it the role begins without the rest. */
    private static final Duration SETTLE_WAIT = Duration.ofSeconds(10);

    private final Role role;
    private final Uses uses;
    private final RunningKernel info;
    private final Optional<DirectoryDeployer> watching;

    private Hosting(Role role, Uses uses, RunningKernel info, Optional<DirectoryDeployer> watching) {
        this.role = role;
        this.uses = uses;
        this.info = info;
        this.watching = watching;
    }

    /** Registers the services; {@code cache} is the directory of this process. */
    static Hosting register(
            BundleContext context,
            Home home,
            Role role,
            Settings settings,
            Path cache,
            Uses uses,
            HeldReserves reserves) {
        DeploySettings own = DeploySettings.from(settings);
        Path directory = own.directory(home.root());
        Missing missing = new Missing(context, List.of(home.bundles(), directory));
        Optional<DirectoryDeployer> watching = Optional.empty();
        if (role.deploy()) {
            DeploySetup setup = new DeploySetup(
                    context,
                    uses,
                    missing,
                    directory,
                    cache.resolve("deployed"),
                    home.lib(),
                    own.drainTimeout(),
                    () -> startAll(reserves),
                    DeploySetup.INTERVAL);
            watching = Optional.of(setup.open());
        }
        Deployer deployer = watching.<Deployer>map(found -> found).orElseGet(() -> new IdleDeployer(role.name()));
        RunningKernel info = new RunningKernel(role.name(), home.root(), settings);
        context.registerService(Deployer.class, deployer, null);
        context.registerService(KernelInfo.class, info, null);
        context.registerService(Inventory.class, new RunningInventory(context, missing, deployer), null);
        context.registerService(
                BundleUsers.class,
                id -> Optional.ofNullable(context.getBundle(id))
                        .map(bundle -> uses.of(bundle).holders())
                        .orElse(List.of()),
                null);
        ServiceReference<LiveServices> live = context.registerService(
                        LiveServices.class, new TrackedServices(context, uses, own.providerWait()), null)
                .getReference();
        context.registerService(OnDemandBundles.class, reserves, null);
        MessagesOnDemand.register(context, context.getService(live), reserves, uses);
        if (role.name().equals(ServeRole.NAME)) {
            context.registerService(
                    RoleMain.class, new ServeRole(), FrameworkUtil.asDictionary(Map.of(RoleMain.ROLE, ServeRole.NAME)));
        }
        return new Hosting(role, uses, info, watching);
    }

    /** Starts all on-demand bundles; logs a failure, as it must not prevent deployed bundles from running. */
    private static void startAll(HeldReserves reserves) {
        try {
            reserves.startAll();
        } catch (HearthException failure) {
            LOG.warn("deploy: {}", failure.getMessage());
        }
    }

    /** Starts to watch deploy/, and waits within a bound until its bundles run. */
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

    /** Holds the bundle of the role's work until the process ends. */
    void begin(RoleMain work) {
        Bundle bundle = FrameworkUtil.getBundle(work.getClass());
        if (bundle != null) { // null: the kernel's own role
            Optional<BundleUse.Hold> forGood = uses.of(bundle).takeForGood("role " + role.name());
            forGood.ifPresentOrElse(
                    hold -> LOG.debug("role {}: runs in {}", role.name(), bundle),
                    () -> LOG.warn("role {}: {} is being stopped while its work begins", role.name(), bundle));
        }
        info.started();
    }

    /** Stops watching deploy/. */
    @Override
    public void close() {
        watching.ifPresent(DirectoryDeployer::close);
    }
}
