package dev.hearth.engine.wiring;

import dev.hearth.engine.internal.driver.session.EngineService;
import dev.hearth.engine.internal.driver.session.EngineSettingsGroup;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.status.monitor.OpenApplications;
import java.util.List;

/**
 * Creates the components of the engine in processes without an OSGi framework. With such a framework, OSGi creates
 * them.
 */
public final class EngineParts {
    private EngineParts() {}

    /**
     * Creates the engine for the applications of this process. Each of {@code subscribers} may add listeners to each
     * application. {@code stores} are the file stores besides that of local files.
     */
    public static DriverEngine engine(
            ClusterManagers managers, RpcEnvFactory rpcs, List<EventSubscriber> subscribers, FileStoreRegistry stores) {
        return new EngineService(managers, rpcs, new OpenApplications(), settings -> {}, subscribers, stores);
    }

    /** Every setting that the engine reads. */
    public static SettingsGroup settings() {
        return new EngineSettingsGroup();
    }
}
