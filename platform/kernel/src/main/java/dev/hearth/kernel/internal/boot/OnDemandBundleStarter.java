package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.application.PackagePattern;
import dev.hearth.kernel.internal.boot.BundleFiles.Reserve;
import dev.hearth.kernel.internal.manager.OnDemandManagers;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.settings.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the on-demand bundle groups of a process, each at most once. Guarded by its own lock. The lock is held while
 * bundles start, so every caller returns after the start. Lives as long as the OSGi framework.
 */
final class OnDemandBundleStarter implements OnDemandBundles, OnDemandManagers {
    private static final Logger LOG = LoggerFactory.getLogger(OnDemandBundleStarter.class);

    private final Kernel kernel;
    private final List<Reserve> remaining; // groups that have not been started; guarded by this

    OnDemandBundleStarter(Kernel kernel, List<Reserve> reserves) {
        this.kernel = kernel;
        this.remaining = new ArrayList<>(reserves);
    }

    @Override
    public void startFor(Settings settings) {
        start(group -> group.isTriggeredBy(settings));
    }

    @Override
    public boolean startFor(String scheme) {
        return start(group -> group.offersMaster(scheme)) || start(OnDemandBundleGroup::offersMasters);
    }

    @Override
    public boolean startForScheme(String scheme) {
        return start(group -> group.offersScheme(scheme));
    }

    @Override
    public boolean startForService(String type) {
        return start(group -> group.offersService(type));
    }

    /** Starts the groups that offer one of the packages {@code wanted} to applications. */
    void startForPackages(Collection<PackagePattern> wanted) {
        start(group -> group.offersPackages(wanted));
    }

    /**
     * Starts all remaining groups. Needed before deploy/ is read, because a bundle in deploy/ is compared with the
     * running versions of the same name.
     */
    void startAll() {
        start(group -> true);
    }

    synchronized boolean offersService(String type) {
        return remaining.stream().anyMatch(reserve -> reserve.group().offersService(type));
    }

    /**
     * Starts the matching groups; true if there were any. A failed group is not retried, because its bundles are
     * already installed.
     */
    private synchronized boolean start(Predicate<OnDemandBundleGroup> wanted) {
        List<Reserve> starting = remaining.stream()
                .filter(reserve -> wanted.test(reserve.group()))
                .toList();
        remaining.removeAll(starting);
        List<String> problems = new ArrayList<>();
        for (Reserve reserve : starting) {
            String name = reserve.group().name();
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
