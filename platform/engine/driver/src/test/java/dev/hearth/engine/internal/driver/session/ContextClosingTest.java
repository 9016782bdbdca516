package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JobFuture;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.engine.internal.driver.loop.DriverSetup;
import dev.hearth.engine.internal.driver.loop.LazyStores;
import dev.hearth.engine.internal.executor.CoreThreads;
import dev.hearth.engine.internal.executor.Cores;
import dev.hearth.engine.internal.executor.Gate;
import dev.hearth.engine.internal.executor.TaskCore;
import dev.hearth.engine.internal.memory.ProcessMemory;
import dev.hearth.spi.cluster.ApplicationResult;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.settings.Settings;
import dev.hearth.status.monitor.OpenApplications;
import dev.hearth.testkit.TestingApplicationLoader;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests that closing a context returns on any thread, and that waiting jobs end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ContextClosingTest {
    private static final long BOUND_SECONDS = 30;

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    @Test
    void closesAllWhenTheThreadThatClosesIsInterrupted() throws Exception {
        HearthContext context = local.open();
        JobFuture<Long> waiting = context.parallelize(List.of(1), 1)
                .map(n -> {
                    Gate.await("never opened, as the context is closed");
                    return n;
                })
                .countAsync();
        Thread.currentThread().interrupt();
        context.close();
        assertTrue(Thread.interrupted(), "the interrupt is preserved");
        assertEquals("CONTEXT_CLOSED", failure(waiting).code());
    }

    @Test
    void reportsToTheClusterWhetherTheProcessWasOrderedToEnd() {
        local.open().close();
        HearthContext open = local.open();
        HearthContext left = local.open();
        local.killed();
        open.close();
        local.open().close();
        local.close();
        assertEquals(ApplicationResult.FINISHED, local.results.get(0));
        assertEquals(Collections.nCopies(3, ApplicationResult.KILLED), local.results.subList(1, 4));
        left.close();
        assertEquals(4, local.results.size());
    }

    @Test
    void closesFromTheContinuationOfAFailedJob() throws Exception {
        HearthContext context = local.open();
        JobFuture<Long> failing = context.parallelize(List.of(0), 1)
                .map(n -> {
                    Gate.await("continuation registered");
                    return 1 / n;
                })
                .countAsync();
        CompletableFuture<String> thread = new CompletableFuture<>();
        failing.stage().whenComplete((count, failure) -> {
            context.close();
            thread.complete(Thread.currentThread().getName());
        });
        Gate.open("continuation registered");
        String name = thread.get(BOUND_SECONDS, TimeUnit.SECONDS);
        assertTrue(name.startsWith("hearth-answers"), name);
        assertEquals("TASK_FAILED", failure(failing).code());
    }

    @Test
    void failsTheFutureOfAJobSubmittedTooLate() throws Exception {
        HearthContext context = local.open();
        context.close();
        assertEquals(
                "CONTEXT_CLOSED",
                failure(context.parallelize(List.of(1), 1).countAsync()).code());
    }

    @Test
    void closesFromAListener() throws Exception {
        HearthContext context = local.open();
        CompletableFuture<Boolean> closed = new CompletableFuture<>();
        AtomicBoolean receivedTheEnd = new AtomicBoolean();
        context.addListener(event -> {
            if (event instanceof ApplicationEvent.JobEnded) {
                context.close();
                closed.complete(!Thread.currentThread().isInterrupted());
            }
            if (event instanceof ApplicationEvent.ApplicationEnded) {
                receivedTheEnd.set(true);
            }
        });
        assertEquals(1, context.parallelize(List.of(1), 1).count());
        assertTrue(closed.get(BOUND_SECONDS, TimeUnit.SECONDS), "the listener was not abandoned");
        context.close();
        assertTrue(receivedTheEnd.get(), "another closing thread waits for the listeners");
    }

    @Test
    void closesDespiteAListenerThatIgnoresInterrupts() {
        HearthContext context = local.open();
        context.addListener(event -> Gate.awaitStubbornly("after the end"));
        try {
            assertEquals(1, context.parallelize(List.of(1), 1).count());
            context.close();
        } finally {
            Gate.open("after the end");
        }
    }

    @Test
    void failsAJobWhoseTasksGetNoThread() throws Exception {
        ThreadEventLoop loop = new ThreadEventLoop("driver without threads", failure -> {});
        DriverContext context = new DriverContext(
                new DriverSetup(
                        1,
                        "test",
                        Settings.empty().with("test", "hearth.task.maxFailures", "2"),
                        MasterUrl.parse("test"),
                        new TestingManager(1),
                        loop,
                        settings -> {
                            throw new AssertionError("opens no port");
                        },
                        new TestingApplicationLoader(ContextClosingTest.class),
                        (application, cores) -> new NoThreads(new CoreThreads(application, cores)),
                        () -> new ProcessMemory(Runtime.getRuntime().maxMemory()),
                        List.of(),
                        new OpenApplications(),
                        Optional::empty,
                        LazyStores.local(),
                        Optional.empty()),
                closed -> loop.close());
        context.open();
        try {
            JobFuture<Long> job = context.parallelize(List.of(1), 1).countAsync();
            assertEquals("TASK_FAILED", failure(job).code());
        } finally {
            context.close();
        }
    }

    private static HearthException failure(JobFuture<?> job) {
        ExecutionException failure =
                assertThrows(ExecutionException.class, () -> job.get(BOUND_SECONDS, TimeUnit.SECONDS));
        return (HearthException) failure.getCause();
    }

    /** The threads of a process that can start no more of them. */
    private record NoThreads(Cores inner) implements Cores {
        @Override
        public void wake(int tasks) {
            throw new OutOfMemoryError("unable to create native thread");
        }

        @Override
        public void add(TaskCore core) {
            inner.add(core);
        }

        @Override
        public void after(Duration delay, Runnable action) {
            inner.after(delay, action);
        }

        @Override
        public void stop() {
            inner.stop();
        }
    }
}
