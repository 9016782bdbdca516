package dev.hearth.engine.wiring;

import dev.hearth.engine.internal.driver.EngineService;
import dev.hearth.engine.internal.driver.EngineSettingsGroup;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.status.monitor.OpenApplications;
import java.util.List;

/** Makes the parts of the engine that are components elsewhere. */
public final class EngineParts {
    private EngineParts() {}

    /** An engine for the applications of this process, which {@code subscribers} hear of. */
    public static DriverEngine engine(ClusterManagers managers, RpcEnvFactory rpcs, List<EventSubscriber> subscribers) {
        return new EngineService(managers, rpcs, new OpenApplications(), settings -> {}, subscribers);
    }

    /** Every setting that the engine reads. */
    public static SettingsGroup settings() {
        return new EngineSettingsGroup();
    }
}
