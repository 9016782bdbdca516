package dev.hearth.yarn.internal.manager;

import dev.hearth.spi.cluster.ApplicationSpec;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.settings.Settings;
import java.util.concurrent.CompletionStage;

/** Opener of the backends of applications whose driver runs in this process. A service of this bundle. */
public interface YarnBackends {
    /**
     * Opens the backend of {@code application}. {@code settings} are those of the application by their present names.
     * Called on the application's loop, on which the result completes.
     */
    CompletionStage<SchedulerBackend> open(
            ApplicationSpec application, MasterUrl master, DriverServices driver, Settings settings);
}
