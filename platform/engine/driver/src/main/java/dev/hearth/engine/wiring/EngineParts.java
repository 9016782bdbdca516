package dev.hearth.engine.wiring;

import dev.hearth.engine.internal.allocation.AllocationSettingsGroup;
import dev.hearth.engine.internal.dag.DagSettingsGroup;
import dev.hearth.engine.internal.disk.DiskSettingsGroup;
import dev.hearth.engine.internal.driver.CleanerSettingsGroup;
import dev.hearth.engine.internal.driver.EngineService;
import dev.hearth.engine.internal.driver.EngineSettingsGroup;
import dev.hearth.engine.internal.driver.StorageSettingsGroup;
import dev.hearth.engine.internal.executor.ExecutorSettingsGroup;
import dev.hearth.engine.internal.fetch.FetchSettingsGroup;
import dev.hearth.engine.internal.io.FileSettingsGroup;
import dev.hearth.engine.internal.memory.MemorySettingsGroup;
import dev.hearth.engine.internal.scheduler.SchedulerSettingsGroup;
import dev.hearth.engine.internal.shuffle.ShuffleSettingsGroup;
import dev.hearth.spi.application.DriverEngine;
import dev.hearth.spi.cluster.ClusterManagers;
import dev.hearth.spi.monitor.EventSubscriber;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.status.monitor.MonitorSettingsGroup;
import dev.hearth.status.monitor.OpenApplications;
import java.util.List;

/** Makes the parts of the engine that are components elsewhere. */
public final class EngineParts {
    private EngineParts() {}

    /** An engine for the applications of this process, which {@code subscribers} hear of. */
    public static DriverEngine engine(ClusterManagers managers, RpcEnvFactory rpcs, List<EventSubscriber> subscribers) {
        return new EngineService(managers, rpcs, new OpenApplications(), settings -> {}, subscribers);
    }

    /** The settings that an engine goes by. */
    public static List<SettingsGroup> settings() {
        return List.of(
                new EngineSettingsGroup(),
                new AllocationSettingsGroup(),
                new CleanerSettingsGroup(),
                new DagSettingsGroup(),
                new StorageSettingsGroup(),
                new SchedulerSettingsGroup(),
                new ExecutorSettingsGroup(),
                new DiskSettingsGroup(),
                new MonitorSettingsGroup(),
                new MemorySettingsGroup(),
                new ShuffleSettingsGroup(),
                new FetchSettingsGroup(),
                new FileSettingsGroup());
    }
}
