package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.allocation.AllocationSettings;
import dev.hearth.engine.internal.driver.blocks.BlockLocationRegistry;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.spi.loop.EventLoop;

/**
 * Creates the objects that compute how many executors to request. The number follows the load with dynamic allocation,
 * for each resource profile; otherwise it follows from the settings alone. Stateless.
 */
public record RequestedExecutors(DriverSettings settings, ProfileRegistry profiles, Workload workload) {
    /** Fails with {@code BAD_SETTING} if the settings of dynamic allocation are wrong and it is enabled. */
    public RequestedExecutors {
        if (settings.followsLoad()) {
            AllocationSettings.from(profiles.settings());
        }
    }

    /** The demand of executors in the driver's process. */
    public ExecutorDemand inProcess() {
        return settings::demands;
    }

    /** The demand of executors in other processes. */
    public ExecutorDemand remote(EventLoop loop, BlockLocationRegistry cachedBlocks, ExecutorFleet fleet) {
        ExecutorDemand numbers = settings.followsLoad()
                ? new DynamicDemand(
                        loop,
                        profile -> AllocationSettings.from(profiles.settings(profile)),
                        workload,
                        cachedBlocks,
                        fleet)
                : settings::demands;
        return new PreferredHostDemand(loop, numbers, workload, fleet);
    }
}
