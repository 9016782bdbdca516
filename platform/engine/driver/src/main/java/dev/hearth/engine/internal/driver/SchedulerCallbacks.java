package dev.hearth.engine.internal.driver;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.spi.id.ExecutorId;
import java.util.function.Consumer;

/** Takes what leaves the schedulers to where it goes in their driver. Called on its loop; no state of its own. */
record SchedulerCallbacks(Driver driver) implements SchedulerShell.Callbacks {
    @Override
    public void send(ExecutorId executor, Consumer<ExecutorLink> order) {
        driver.fleet().send(executor, order);
    }

    @Override
    public String host(ExecutorId executor) {
        return driver.fleet().host(executor);
    }

    @Override
    public void count(TaskEnd end) {
        driver.counting().count(end);
    }

    @Override
    public void afterCounts(Runnable end) {
        driver.counting().after(end);
    }

    @Override
    public void tell(ApplicationEvent event) {
        driver.monitoring().monitor().bus().publish(event);
    }

    @Override
    public SchedulerShell.TaskEventSink tasks() {
        return driver.monitoring();
    }

    @Override
    public void exclude(SchedulerEffect.ExcludeHosts hosts) {
        driver.fleet().exclude(hosts.hosts());
    }

    @Override
    public void giveBack(ExecutorId executor, String reason) {
        driver.fleet().giveBack(executor, reason);
    }

    @Override
    public void stageMade(StagePlan plan) {
        driver.remoteStages().hold(plan);
    }

    @Override
    public void stageGone(StagePlan plan) {
        driver.remoteStages().release(plan);
    }

    @Override
    public void settled() {
        driver.fleet().settled();
    }

    @Override
    public void broken(Throwable failure) {
        driver.broken(failure);
    }
}
