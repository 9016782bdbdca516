package dev.hearth.engine.wiring;

import dev.hearth.engine.internal.driver.EngineService;
import dev.hearth.engine.internal.driver.EngineSettingsGroup;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.SettingsGroup;

/** Makes the parts of the engine that are components elsewhere. */
public final class EngineParts {
    private EngineParts() {}

    /** An engine for the applications of this process. */
    public static DriverEngine engine(ClusterManagers managers, RpcEnvFactory rpcs) {
        return new EngineService(managers, rpcs);
    }

    /** The settings that an engine goes by. */
    public static SettingsGroup settings() {
        return new EngineSettingsGroup();
    }
}
