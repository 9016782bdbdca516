package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.executor.CoreThreads;
import dev.hearth.engine.internal.executor.DriverCalls;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SchedulerBackend;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.settings.Settings;
import dev.hearth.status.monitor.OpenApplications;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingApplicationLoader;
import dev.hearth.testkit.TestingBackend;
import dev.hearth.testkit.TestingClusterManager;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Tests that opening and closing a driver end, however a cluster manager or a backend misbehaves. In virtual time. */
class DriverEndingTest {
    private static final Duration SOON = Duration.ofMinutes(1);

    private final Simulation simulation = new Simulation(1);
    private final SimulatedProcess process = simulation.process("driver");
    private final List<String> happened = new ArrayList<>();

    @Test
    void failsToOpenWhenTheManagerLacksAClass() {
        Driver driver = driver(services -> {
            throw new NoClassDefFoundError("some/Missing");
        });
        HearthException failure = failure(driver.open());
        assertTrue(String.valueOf(failure.getMessage()).contains("some/Missing"), failure.getMessage());
        done(driver.close(ApplicationResult.FAILED));
    }

    private void closesAlthough(Runnable failing) {
        Driver driver = driver(services -> CompletableFuture.completedStage(new Backend() {
            @Override
            public CompletionStage<Void> close(ApplicationResult result) {
                failing.run();
                return super.close(result);
            }
        }));
        done(driver.open());
        done(driver.close(ApplicationResult.FINISHED));
        assertEquals(List.of(), happened);
    }

    @Test
    void remembersWhenItWasOpened() {
        simulation.runFor(Duration.ofHours(1));
        long now = process.loop("clock").ticker().wall().toEpochMilli();
        Driver driver = driver(services -> CompletableFuture.completedStage(new Backend()));
        done(driver.open());
        simulation.runFor(Duration.ofHours(1));
        assertEquals(now, driver.monitoring().openedMillis());
        done(driver.close(ApplicationResult.FINISHED));
    }

    @Test
    void closesAlthoughTheBackendThrows() {
        closesAlthough(() -> {
            throw new IllegalStateException("no");
        });
    }

    @Test
    void closesAlthoughTheBackendThrowsAnError() {
        closesAlthough(() -> {
            throw new AssertionError("not so");
        });
    }

    @Test
    void failsToOpenWhenTheBackendHasNoId() {
        Driver driver = driver(services -> CompletableFuture.completedStage(new Backend() {
            @Override
            public ApplicationId application() {
                throw new IllegalStateException("no id yet");
            }
        }));
        HearthException failure = failure(driver.open());
        assertTrue(String.valueOf(failure.getMessage()).contains("no id yet"), failure.getMessage());
        done(driver.close(ApplicationResult.FAILED));
        assertEquals(List.of("closed FAILED"), happened);
    }

    @Test
    void closesABackendThatArrivesAfterTheLoopHasEnded() {
        CompletableFuture<SchedulerBackend> late = new CompletableFuture<>();
        Driver driver = driver(services -> late);
        CompletionStage<Void> opening = driver.open();
        simulation.runFor(Duration.ofSeconds(1));
        done(driver.close(ApplicationResult.FAILED));
        assertEquals(ErrorCode.CONTEXT_CLOSED.name(), failure(opening).code());
        driver.loop().close();
        late.complete(new Backend());
        simulation.runFor(SOON);
        assertEquals(List.of("closed FAILED"), happened);
    }

    @Test
    void failsCallsOfTasksAfterTheLoopHasEnded() {
        EventLoop loop = process.loop("ended");
        CommitsAndBarriers coordination = new CommitsAndBarriers(loop, Duration.ofDays(1));
        loop.close();
        for (CompletionStage<?> requested : List.<CompletionStage<?>>of(
                coordination.barrier(new DriverCalls.BarrierArrival(1, 0, 0, 2, 0, false, "")),
                coordination.mayCommit(1, 0, 0, 0),
                coordination.addresses(1, 0))) {
            assertTrue(requested.toCompletableFuture().isCompletedExceptionally(), "the task gets an answer");
        }
    }

    @Test
    void closesAlthoughTheClusterNeverAnswers() {
        Driver driver = driver(services -> CompletableFuture.completedStage(new Backend() {
            @Override
            public CompletionStage<Void> close(ApplicationResult result) {
                return new CompletableFuture<>();
            }
        }));
        done(driver.open());
        done(driver.close(ApplicationResult.FINISHED));
    }

    @Test
    void failsTheOpeningWhenClosedMeanwhileAndClosesALateBackend() {
        CompletableFuture<SchedulerBackend> late = new CompletableFuture<>();
        Driver driver = driver(services -> late);
        CompletionStage<Void> opening = driver.open();
        simulation.runFor(Duration.ofSeconds(1));
        done(driver.close(ApplicationResult.FAILED));
        assertEquals(ErrorCode.CONTEXT_CLOSED.name(), failure(opening).code());
        late.complete(new Backend());
        simulation.runFor(SOON);
        assertEquals(List.of("closed FAILED"), happened);
    }

    @Test
    void joinsASecondCloseToTheFirst() {
        CompletableFuture<Void> confirmed = new CompletableFuture<>();
        DriverServices[] services = new DriverServices[1];
        Driver driver = driver(passed -> {
            services[0] = passed;
            return CompletableFuture.completedStage(new Backend() {
                @Override
                public CompletionStage<Void> close(ApplicationResult result) {
                    happened.add("closed " + result);
                    return confirmed;
                }
            });
        });
        done(driver.open());
        services[0].loop().execute(() -> services[0].listener().clusterLost(ErrorCode.CLUSTER_LOST.failure("gone")));
        simulation.runFor(Duration.ofSeconds(1));
        CompletableFuture<Void> second =
                driver.close(ApplicationResult.FINISHED).toCompletableFuture();
        simulation.runFor(Duration.ofSeconds(1));
        assertEquals(false, second.isDone(), "the cluster has not confirmed yet");
        confirmed.complete(null);
        done(second);
        assertEquals(List.of("closed FAILED"), happened);
    }

    private Driver driver(Function<DriverServices, CompletionStage<SchedulerBackend>> opening) {
        return new Driver(new DriverSetup(
                1,
                "test",
                Settings.empty(),
                MasterUrl.parse("test"),
                new TestingClusterManager(opening),
                process.loop("driver"),
                process::env,
                new TestingApplicationLoader(DriverEndingTest.class),
                CoreThreads::new,
                () -> new ProcessMemory(Runtime.getRuntime().maxMemory()),
                List.of(),
                new OpenApplications(),
                Optional::empty,
                LazyStores.local(),
                Optional.empty()));
    }

    private void done(CompletionStage<Void> stage) {
        CompletableFuture<Void> future = stage.toCompletableFuture();
        assertTrue(simulation.runUntil(future::isDone, SOON), "an answer within " + SOON);
        future.join();
    }

    private HearthException failure(CompletionStage<Void> stage) {
        CompletableFuture<Void> future = stage.toCompletableFuture();
        assertTrue(simulation.runUntil(future::isDone, SOON), "an answer within " + SOON);
        return (HearthException)
                assertThrows(CompletionException.class, future::join).getCause();
    }

    private class Backend extends TestingBackend {
        Backend() {
            super("test-1", happened::add);
        }
    }
}
