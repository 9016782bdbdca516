package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.manager.MissingManagers;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.kernel.OnDemandBundles;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reserves of a process: each starts once, and stays. Guarded by its own lock, under which bundles start, so that whoever asks
 * finds them started; from the start of the framework to its end.
 */
final class HeldReserves implements OnDemandBundles, MissingManagers {
    private static final Logger LOG = LoggerFactory.getLogger(HeldReserves.class);

    private final Kernel kernel;
    private final Map<String, List<Path>> jars;
    private final List<Reserve> held; // guarded by this; without those that were started

    /** {@code jars} are those of each reserve, by its name. */
    HeldReserves(Kernel kernel, List<Reserve> reserves, Map<String, List<Path>> jars) {
        this.kernel = kernel;
        this.jars = Map.copyOf(jars);
        this.held = new ArrayList<>(reserves);
    }

    @Override
    public void startFor(Settings settings) {
        start(reserve -> reserve.isAskedForBy(settings));
    }

    @Override
    public boolean startFor(String scheme) {
        return start(reserve -> reserve.offersMaster(scheme)) || start(Reserve::offersMasters);
    }

    /** Starts what offers a service. */
    void startFor(Class<?> service) {
        start(reserve -> reserve.offersService(service));
    }

    /** Starts whatever is left: when bundles are dropped into deploy/, versions are compared with those that run. */
    void startAll() {
        start(reserve -> true);
    }

    synchronized boolean offers(Class<?> service) {
        return held.stream().anyMatch(reserve -> reserve.offersService(service));
    }

    /** Tells whether there was one. One that fails to start is not tried again: its bundles are installed by then. */
    private synchronized boolean start(Predicate<Reserve> wanted) {
        List<Reserve> starting = held.stream().filter(wanted).toList();
        held.removeAll(starting);
        List<String> problems = new ArrayList<>();
        for (Reserve reserve : starting) {
            LOG.debug("reserve {}: needed", reserve.name());
            kernel.start(jars.get(reserve.name()))
                    .forEach(failure -> problems.add(
                            "bundle " + failure.bundle() + " of reserve " + reserve.name() + ": " + failure.reason()));
        }
        if (!problems.isEmpty()) {
            throw ErrorCode.START_FAILED.failure(
                    String.join("\n  ", problems) + " (expected: it starts); is the installation complete?");
        }
        return !starting.isEmpty();
    }
}
