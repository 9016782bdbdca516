package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.application.PackagePattern;
import dev.hearth.kernel.internal.boot.BundleFiles.Reserve;
import dev.hearth.kernel.internal.frozen.ExecutorClause;
import dev.hearth.kernel.internal.frozen.OnDemandFreezing;
import dev.hearth.kernel.internal.inventory.JarManifest;
import dev.hearth.kernel.internal.manager.OnDemandManagers;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.ZipFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the on-demand bundle groups of a process, each at most once, and those of deploy/. Guarded by its own lock.
 * The lock is held while bundles of bundles/ start, so every caller returns after the start. Lives as long as the OSGi
 * framework.
 */
final class OnDemandBundleStarter implements OnDemandBundles, OnDemandManagers, OnDemandFreezing {
    private static final Logger LOG = LoggerFactory.getLogger(OnDemandBundleStarter.class);

    private static final String MASTER = "hearth.master";

    private final Kernel kernel;
    private volatile Predicate<Predicate<List<String>>> deployed = wanted -> false; // starts bundles of deploy/
    private final List<Reserve> remaining; // groups that have not been started; guarded by this

    OnDemandBundleStarter(Kernel kernel, List<Reserve> reserves) {
        this.kernel = kernel;
        this.remaining = new ArrayList<>(reserves);
    }

    @Override
    public void startFor(Settings settings) {
        // The bundle of the master declares settings, too; it is needed in any case.
        String scheme =
                settings.find(MASTER).map(url -> url.split("[:\\[]", 2)[0]).orElse("");
        start(group -> group.isTriggeredBy(settings) || group.offersMaster(scheme));
    }

    @Override
    public boolean startFor(String scheme) {
        return start(group -> group.offersMaster(scheme)) || start(OnDemandBundleGroup::offersMasters);
    }

    @Override
    public boolean startForScheme(String scheme) {
        return start(group -> group.offersScheme(scheme));
    }

    /** Starts the groups for paths without a scheme whose site files exist. */
    void startForPaths(SiteFileTriggers files) {
        start(group -> group.servesPaths(files::apply));
    }

    @Override
    public boolean startForService(String type) {
        return start(group -> group.offersService(type));
    }

    @Override
    public boolean startForEndpoint(String endpoint) {
        return start(group -> group.offersEndpoint(endpoint));
    }

    /** Starts the groups that offer one of the packages {@code wanted} to applications. */
    void startForPackages(Collection<PackagePattern> wanted) {
        start(group -> group.offersPackages(wanted));
    }

    /**
     * Starts the remaining groups, except those that wait for a request of another process alone. Needed before deploy/
     * is read, because a bundle in deploy/ is compared with the running versions of the same name.
     */
    void startAll() {
        startOwn(reserve -> reserve.problems().isEmpty() && !reserve.group().offersEndpointsOnly());
    }

    /**
     * Sets the action that starts bundles of deploy/ with triggers that match, and returns whether there were any. It
     * is never called while the lock is held, because activators may call this object.
     */
    void alsoIn(Predicate<Predicate<List<String>>> directory) {
        deployed = directory;
    }

    @Override
    public synchronized void add(String name, List<String> triggers, List<Path> jars) {
        remaining.add(new Reserve(new OnDemandBundleGroup(name, List.of(), triggers), jars, List.of()));
    }

    @Override
    public void startDeployed() {
        try {
            boolean any = deployed.test(triggers -> true);
            LOG.debug("deploy: bundles on demand started: {}", any);
        } catch (HearthException failure) { // the others must still be found by the driver
            LOG.warn("deploy: {}", failure.getMessage());
        }
    }

    @Override
    public synchronized void installForExecutors() {
        for (Reserve reserve : remaining) {
            if (reserve.problems().isEmpty() && reserve.jars().stream().anyMatch(OnDemandBundleStarter::isReserve)) {
                kernel.install(reserve.jars());
            }
        }
    }

    private static boolean isReserve(Path jar) {
        try (ZipFile file = new ZipFile(jar.toFile())) {
            return ExecutorClause.isReserve(JarManifest.mainAttributes(file));
        } catch (IOException | IllegalArgumentException invalid) {
            LOG.warn("bundle {}: not for executors: {}", jar, invalid.getMessage());
            return false;
        }
    }

    synchronized boolean offersService(String type) {
        return remaining.stream().anyMatch(reserve -> reserve.group().offersService(type));
    }

    /** Starts the matching groups and bundles of deploy/; true if there were any. */
    private boolean start(Predicate<OnDemandBundleGroup> wanted) {
        boolean own = startOwn(reserve -> wanted.test(reserve.group()));
        return deployed.test(triggers -> wanted.test(new OnDemandBundleGroup("deploy", List.of(), triggers))) || own;
    }

    /**
     * Starts the matching groups of bundles/; true if there were any. A failed group is not retried, because its
     * bundles are already installed. A group whose jars are missing is reported each time.
     */
    private synchronized boolean startOwn(Predicate<Reserve> wanted) {
        List<Reserve> starting = remaining.stream().filter(wanted).toList();
        List<String> problems = new ArrayList<>();
        for (Reserve reserve : starting) {
            String name = reserve.group().name();
            if (!reserve.problems().isEmpty()) {
                problems.addAll(reserve.problems());
                continue;
            }
            remaining.remove(reserve);
            LOG.debug("on-demand bundles {}: needed", name);
            kernel.start(reserve.jars())
                    .forEach(failure -> problems.add(
                            "bundle " + failure.bundle() + " of on-demand group " + name + ": " + failure.reason()));
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(
                    Failures.expecting(String.join("\n  ", problems), "it starts") + "; is the installation complete?");
        }
        return !starting.isEmpty();
    }
}
