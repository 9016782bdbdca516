package dev.hearth.engine.internal.driver;

import dev.hearth.engine.internal.executor.ThreadDump;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.PoolView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.ThreadView;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** An application of this process as shells and pages see it. Immutable but for its driver, whom any thread may ask. */
record RunningDriver(Driver driver) implements RunningApplication {
    private static final String DRIVER = "driver";

    @Override
    public String id() {
        return driver.application().map(ApplicationId::value).orElse("");
    }

    @Override
    public String name() {
        return driver.name();
    }

    @Override
    public String user() {
        return Monitoring.user();
    }

    @Override
    public long startedMillis() {
        return driver.monitoring().openedMillis();
    }

    @Override
    public ApplicationStatus status() {
        return driver.monitoring().monitor().status();
    }

    @Override
    public List<PoolView> pools() {
        return driver.pools();
    }

    @Override
    public void cancelJob(int job, String reason) {
        driver.cancellations().job(job, reason);
    }

    @Override
    public void cancelStage(int stage, String reason) {
        driver.cancellations().stage(stage, reason);
    }

    @Override
    public void cancelGroup(String group, String reason) {
        driver.cancellations().group(group, reason, false);
    }

    @Override
    public void cancelTag(String tag, String reason) {
        driver.cancellations().tag(tag, reason);
    }

    @Override
    public void cancelAll(String reason) {
        driver.cancellations().all(reason);
    }

    @Override
    public CompletionStage<Optional<List<ThreadView>>> threads(String executor) {
        return executor.equals(DRIVER)
                ? CompletableFuture.completedStage(Optional.of(ThreadDump.take()))
                : LoopQuery.ask(
                        driver.loop(), () -> driver.fleet().threads(new ExecutorId(executor)), Optional.empty());
    }

    @Override
    public CompletionStage<Boolean> decommission(String executor, String reason) {
        return LoopQuery.ask(
                driver.loop(),
                () -> CompletableFuture.completedStage(driver.fleet().decommission(new ExecutorId(executor), reason)),
                false);
    }
}
