package dev.hearth.testkit;

import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.Demand;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Scheduler backend that starts no executors. Records the release of executors and its closing as text, for example
 * {@code released 3} or {@code closed FINISHED}. Tests override single methods.
 */
public class TestingBackend implements SchedulerBackend {
    private final ApplicationId application;
    private final Consumer<String> events;

    public TestingBackend(String application, Consumer<String> events) {
        this.application = new ApplicationId(application);
        this.events = events;
    }

    @Override
    public ApplicationId application() {
        return application;
    }

    @Override
    public void want(Map<ProfileId, Demand> demands, Set<String> excludedHosts) {
        // a test that needs executors reports them itself
    }

    @Override
    public void release(Set<ExecutorId> executors, String reason) {
        executors.forEach(executor -> events.accept("released " + executor));
    }

    @Override
    public CompletionStage<Void> close(ApplicationResult result) {
        events.accept("closed " + result);
        return CompletableFuture.completedStage(null);
    }
}
