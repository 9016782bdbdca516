package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.driver.executors.ExecutorLink;
import dev.hearth.engine.internal.driver.serving.SerialisedStages;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.status.events.EventBus;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Performs those effects of the schedulers that concern executors, accumulators and listeners. Called on the driver's
 * event loop; stateless. {@code fleet} supplies the executors of the application, because they are managed by an object
 * that is created after the schedulers.
 */
record SchedulerCallbacks(
        Supplier<ExecutorFleet> fleet,
        AccumulatorMerger counting,
        EventBus events,
        SchedulerShell.TaskEventSink tasks,
        SerialisedStages stages,
        Consumer<Throwable> internalError)
        implements SchedulerShell.Callbacks {
    @Override
    public void send(ExecutorId executor, Consumer<ExecutorLink> order) {
        fleet.get().send(executor, order);
    }

    @Override
    public String address(ExecutorId executor) {
        return fleet.get().address(executor);
    }

    @Override
    public void mergeAccumulators(TaskEnd end) {
        counting.merge(end);
    }

    @Override
    public void afterMerges(Runnable action) {
        counting.afterMerges(action);
    }

    @Override
    public void publish(ApplicationEvent event) {
        events.publish(event);
    }

    @Override
    public void exclude(Set<String> hosts) {
        fleet.get().exclude(hosts);
    }

    @Override
    public void release(ExecutorId executor, String reason) {
        fleet.get().releaseExcluded(executor, reason);
    }

    @Override
    public void stageCreated(StagePlan plan) {
        stages.hold(plan);
    }

    @Override
    public void stageRemoved(StagePlan plan) {
        stages.release(plan);
    }

    @Override
    public void settled() {
        fleet.get().settled();
    }

    @Override
    public void failed(Throwable failure) {
        internalError.accept(failure);
    }
}
