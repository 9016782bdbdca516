package dev.hearth.engine.internal.driver.session;

import dev.hearth.engine.internal.allocation.AllocationSettings;
import dev.hearth.engine.internal.dag.DagSettings;
import dev.hearth.engine.internal.disk.DiskSettings;
import dev.hearth.engine.internal.driver.blocks.CleanerSettings;
import dev.hearth.engine.internal.driver.blocks.ReplicationSettings;
import dev.hearth.engine.internal.driver.executors.DriverSettings;
import dev.hearth.engine.internal.driver.racks.RackSettings;
import dev.hearth.engine.internal.executor.ExecutorRole;
import dev.hearth.engine.internal.executor.ReaperSettings;
import dev.hearth.engine.internal.executor.ResultSettings;
import dev.hearth.engine.internal.fetch.FetchSettings;
import dev.hearth.engine.internal.io.FileSettings;
import dev.hearth.engine.internal.memory.MemorySettings;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.engine.internal.scheduler.SchedulerSettings;
import dev.hearth.engine.internal.shuffle.ShuffleSettings;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsGroup;
import dev.hearth.spi.shuffle.ShuffleServiceSettings;
import dev.hearth.status.events.EventSettings;
import dev.hearth.status.progress.ProgressSettings;
import dev.hearth.status.store.StatusSettings;
import java.util.List;
import java.util.stream.Stream;
import org.osgi.service.component.annotations.Component;

/** Declares every setting that the engine reads, in the driver and in executors. */
@Component(service = SettingsGroup.class)
public final class EngineSettingsGroup implements SettingsGroup {
    @Override
    public String owner() {
        return "engine";
    }

    @Override
    public List<SettingKey<?>> keys() {
        return Stream.of(
                        DriverSettings.KEYS,
                        CleanerSettings.KEYS,
                        ReplicationSettings.KEYS,
                        AllocationSettings.KEYS,
                        DagSettings.KEYS,
                        SchedulerSettings.KEYS,
                        ProfileRegistry.KEYS,
                        RackSettings.KEYS,
                        ApplicationLogging.KEYS,
                        ReaperSettings.KEYS,
                        ResultSettings.KEYS,
                        List.of(ExecutorRole.BLOCKS_PORT),
                        DiskSettings.KEYS,
                        MemorySettings.KEYS,
                        ShuffleSettings.KEYS,
                        ShuffleServiceSettings.KEYS,
                        FetchSettings.KEYS,
                        FileSettings.KEYS,
                        EventSettings.KEYS,
                        StatusSettings.KEYS,
                        ProgressSettings.KEYS)
                .<SettingKey<?>>flatMap(List::stream)
                .toList();
    }
}
