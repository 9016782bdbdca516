package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.allocation.ExecutorActivity;
import dev.hearth.engine.internal.allocation.ExecutorData.ShuffleUse;
import dev.hearth.engine.internal.allocation.PreferredHosts;
import dev.hearth.engine.internal.allocation.SchedulerLoad;
import dev.hearth.engine.internal.dag.DagScheduler;
import dev.hearth.engine.internal.driver.executors.Workload;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import java.util.List;

/** The workload of an application as its two schedulers know it. Called on the driver's event loop; stateless. */
record SchedulerWorkload(TaskScheduler tasks, DagScheduler stages) implements Workload {
    @Override
    public List<ProfileId> profiles() {
        return tasks.profiles().stream().map(ProfileId::new).toList();
    }

    @Override
    public SchedulerLoad load(ProfileId profile) {
        return tasks.load(profile.value(), stages.slotsWanted(profile.value()));
    }

    @Override
    public PreferredHosts preferredHosts(ProfileId profile) {
        return tasks.preferredHosts(profile.value());
    }

    @Override
    public List<ExecutorActivity> executors(ProfileId profile) {
        return tasks.executorActivity(profile.value());
    }

    @Override
    public ShuffleUse shuffles(ExecutorId executor) {
        return stages.shuffles(executor);
    }
}
