package dev.hearth.engine.internal.driver;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.PoolView;
import dev.hearth.spi.monitor.RunningApplication;
import java.util.List;

/** An application of this process as shells and pages see it. Immutable but for its driver, whom any thread may ask. */
record RunningDriver(Driver driver) implements RunningApplication {
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
}
