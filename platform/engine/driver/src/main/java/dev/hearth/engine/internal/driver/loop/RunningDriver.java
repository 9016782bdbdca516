package dev.hearth.engine.internal.driver.loop;

import dev.hearth.engine.internal.driver.executors.ExecutorFleet;
import dev.hearth.engine.internal.executor.ThreadDump;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.PoolView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.ThreadView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One running application and its driver, as command shells and web pages see it. Thread-safe. */
record RunningDriver(
        ApplicationId application,
        String name,
        long startedMillis,
        ApplicationStatus status,
        EventLoop loop,
        SchedulerShell scheduling,
        JobCanceller cancellations,
        ExecutorFleet fleet)
        implements RunningApplication {
    private static final String DRIVER = "driver";

    @Override
    public String id() {
        return application.value();
    }

    @Override
    public String user() {
        return Monitoring.user();
    }

    @Override
    public List<PoolView> pools() {
        return scheduling.pools();
    }

    @Override
    public void cancelJob(int job, String reason) {
        cancellations.job(job, reason);
    }

    @Override
    public void cancelStage(int stage, String reason) {
        cancellations.stage(stage, reason);
    }

    @Override
    public void cancelGroup(String group, String reason) {
        cancellations.group(group, reason, false);
    }

    @Override
    public void cancelTag(String tag, String reason) {
        cancellations.tag(tag, reason);
    }

    @Override
    public void cancelAll(String reason) {
        cancellations.all(reason);
    }

    @Override
    public CompletionStage<Optional<List<ThreadView>>> threads(String executor) {
        return executor.equals(DRIVER)
                ? CompletableFuture.completedStage(Optional.of(ThreadDump.take()))
                : LoopQuery.ask(loop, () -> fleet.threads(new ExecutorId(executor)), Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> decommission(String executor, String reason) {
        return LoopQuery.ask(
                loop,
                () -> CompletableFuture.completedStage(fleet.decommission(new ExecutorId(executor), reason)),
                false);
    }
}
