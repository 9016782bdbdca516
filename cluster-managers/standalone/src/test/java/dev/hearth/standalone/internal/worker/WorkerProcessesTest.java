package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.testkit.ManualEventLoop;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Starts of processes that take long, and the order of what happens meanwhile. */
class WorkerProcessesTest {
    private final ManualEventLoop loop = new ManualEventLoop();
    private final Queue<Runnable> starting = new ArrayDeque<>(); // starts that a disk delays
    private final List<String> events = new ArrayList<>();
    private final WorkerProcesses processes = new WorkerProcesses(loop, starting::add, new Recording());

    private final class Recording implements WorkerProcesses.Ends {
        @Override
        public void ended(String name, ChildExit end, boolean ordered) {
            events.add(name + (ordered ? " ended as ordered" : " ended"));
        }

        @Override
        public void notStarted(String name, Throwable failure) {
            events.add(name + ": " + Failures.describe(failure));
        }
    }

    /** Process that records what is asked of it. */
    private class Child implements ChildProcess {
        private final String name;
        private final CompletableFuture<Integer> exit = new CompletableFuture<>();

        Child(String name) {
            this.name = name;
        }

        @Override
        public long pid() {
            return 1;
        }

        @Override
        public CompletionStage<Integer> exit() {
            return exit;
        }

        @Override
        public void stop() {
            events.add(name + " stops");
        }

        @Override
        public String outputTail(int bytesMax) {
            return "";
        }

        @Override
        public String errorTail(int bytesMax) {
            return "";
        }
    }

    private static ChildSpec spec(String role) {
        return new ChildSpec(role, List.of(), Map.of(), Path.of("/work"));
    }

    private void diskAnswers() {
        starting.remove().run();
        loop.turn();
    }

    @Test
    void stopsAProcessThatMustEndBeforeItHasStarted() {
        Child child = new Child("app-1/0");
        processes.start("app-1/0", spec("executor"), () -> child);
        processes.stop("app-1/0");
        loop.turn();
        assertEquals(List.of(), events);
        diskAnswers();
        assertEquals(List.of("app-1/0 stops"), events);
        assertFalse(processes.isEmpty());
        child.exit.complete(143);
        loop.turn();
        assertEquals(List.of("app-1/0 stops", "app-1/0 ended as ordered"), events);
        assertTrue(processes.isEmpty());
    }

    @Test
    void startsOneProcessWhileAnotherOneWaits() {
        processes.start("app-1/0", spec("executor"), () -> new Child("app-1/0"));
        Child second = new Child("app-1/1");
        processes.start("app-1/1", spec("executor"), () -> second);
        Runnable slow = starting.remove();
        diskAnswers();
        second.exit.complete(0);
        loop.turn();
        assertEquals(List.of("app-1/1 ended"), events);
        assertEquals(List.of("app-1/0"), processes.names());
        slow.run();
        loop.turn();
        processes.stop("app-1/0");
        assertEquals(List.of("app-1/1 ended", "app-1/0 stops"), events);
    }

    @Test
    void countsAnExecutorAsEndedThatDoesNotStartInTime() {
        processes.start("app-1/0", spec("executor"), () -> new Child("app-1/0"));
        loop.pass(WorkerProcesses.START_MAX);
        String late = "app-1/0: executor process in /work: not started within 30 s (expected: a disk that answers)";
        assertEquals(List.of(late), events);
        assertTrue(processes.isEmpty());
        diskAnswers();
        assertEquals(List.of(late, "app-1/0 stops"), events);
    }

    @Test
    void reportsOneEndIfAStartFailsTooLate() {
        processes.start("app-1/0", spec("executor"), () -> {
            throw new IllegalStateException("the disk is gone");
        });
        loop.pass(WorkerProcesses.START_MAX);
        diskAnswers();
        assertEquals(1, events.size());
    }

    @Test
    void awaitsADriverHoweverLongItsStartTakes() {
        processes.start("driver-1", spec("driver"), () -> new Child("driver-1"));
        loop.pass(WorkerProcesses.START_MAX.multipliedBy(100));
        diskAnswers();
        assertEquals(List.of(), events);
        assertEquals(List.of("driver-1"), processes.names());
    }

    @Test
    void reportsAStartThatFails() {
        processes.start("driver-1", spec("driver"), () -> {
            throw new IllegalStateException("no program");
        });
        diskAnswers();
        assertEquals(List.of("driver-1: java.lang.IllegalStateException: no program"), events);
        assertTrue(processes.isEmpty());
    }

    @Test
    void leavesItsLoopFreeWhileAStartBlocks() throws Exception {
        CountDownLatch disk = new CountDownLatch(1);
        CompletableFuture<Void> blocked = new CompletableFuture<>();
        CompletableFuture<Void> heartbeat = new CompletableFuture<>();
        CompletableFuture<Void> stopped = new CompletableFuture<>();
        Child child = new Child("driver-1") {
            @Override
            public void stop() {
                stopped.complete(null);
            }
        };
        try (ThreadEventLoop real = new ThreadEventLoop("worker", heartbeat::completeExceptionally)) {
            WorkerProcesses own =
                    new WorkerProcesses(real, action -> new Thread(action, "start").start(), new Recording());
            real.execute(() -> own.start("driver-1", spec("driver"), () -> {
                blocked.complete(null);
                awaitDisk(disk);
                return child;
            }));
            blocked.join();
            real.execute(() -> {
                own.stop("driver-1");
                heartbeat.complete(null);
            });
            heartbeat.join(); // the start still blocks
            assertFalse(stopped.isDone());
            disk.countDown();
            stopped.join();
        }
    }

    private static void awaitDisk(CountDownLatch disk) {
        try {
            disk.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
