package dev.hearth.itests.simulation;

import dev.hearth.engine.internal.driver.loop.DriverSetup;
import dev.hearth.engine.internal.driver.loop.LazyStores;
import dev.hearth.engine.internal.driver.session.DriverContext;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.settings.Settings;
import dev.hearth.status.monitor.OpenApplications;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.TestingApplicationLoader;
import java.util.List;
import java.util.Optional;

/** Creates drivers of the production classes in simulated processes. Stateless. */
final class SimulatedDriver {
    private static final long HEAP_BYTES = 1L << 30;

    private SimulatedDriver() {}

    /** The unopened context of an application named {@code name}. */
    static DriverContext context(
            SimulatedProcess process, String name, Settings settings, MasterUrl master, ClusterManager manager) {
        return context(process, name, settings, master, manager, Optional.empty());
    }

    /** As above, with a bundle that names racks. */
    static DriverContext context(
            SimulatedProcess process,
            String name,
            Settings settings,
            MasterUrl master,
            ClusterManager manager,
            Optional<RackResolver> racks) {
        DriverSetup setup = new DriverSetup(
                1,
                name,
                settings,
                master,
                manager,
                process.loop("driver"),
                process.factory()::open,
                new TestingApplicationLoader(SimulatedDriver.class),
                (classes, cores) -> new SimulatedCores(process, cores),
                () -> new ProcessMemory(HEAP_BYTES),
                List.of(),
                new OpenApplications(),
                () -> racks,
                LazyStores.local(),
                Optional.of(process.loop("answers")));
        return new DriverContext(setup, closed -> {});
    }
}
