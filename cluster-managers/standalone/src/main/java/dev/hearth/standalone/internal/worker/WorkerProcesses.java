package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.ChildProcess;
import dev.hearth.spi.process.ChildSpec;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of the drivers and executors of a worker. Starts each process on a thread of its own: a start waits for disks,
 * and the loop of the worker must send heartbeats meanwhile. A process that must end before it has started ends right after
 * its start. Owned by the loop of {@link WorkerShell}.
 */
final class WorkerProcesses {
    /** Time for the start of a process, which needs milliseconds unless a disk hangs. */
    static final Duration START_MAX = Duration.ofSeconds(30);

    /** Part of the text about an executor that has not started in time. */
    static final String LATE = "not started within";

    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Worker");

    private final EventLoop loop;
    private final Executor threads;
    private final Ends ends;
    private final Map<String, Child> children = new LinkedHashMap<>();

    /** Receiver of the ends of processes, on the loop. Each process that is to start ends once. */
    interface Ends {
        /** A process has exited. {@code ordered} says that it was ordered to end. */
        void ended(String name, ChildExit end, boolean ordered);

        void notStarted(String name, Throwable failure);
    }

    /** Process that starts or runs. Without a {@code process} it starts. */
    private static final class Child {
        private @Nullable ChildProcess process;
        private boolean stopped; // it was ordered to end
        private boolean abandoned; // it counts as ended, and must end when it has started
    }

    /** {@code threads} runs starts, each at once and on a thread that may wait for a disk. */
    WorkerProcesses(EventLoop loop, Executor threads, Ends ends) {
        this.loop = loop;
        this.threads = threads;
        this.ends = ends;
    }

    /**
     * Starts the process {@code name} by a call of {@code start}. An executor that has not started in time counts as ended,
     * so that its application gets another one. A driver must not run twice, so its start is awaited however long it takes.
     */
    void start(String name, ChildSpec spec, Supplier<ChildProcess> start) {
        Child child = new Child();
        children.put(name, child);
        try {
            CompletionStage<ChildProcess> starting = CompletableFuture.supplyAsync(start, threads);
            starting.whenComplete((process, failure) -> finished(name, child, process, failure));
        } catch (RuntimeException noThread) {
            finished(name, child, null, noThread);
        }
        if (child.process == null) {
            loop.schedule(START_MAX, () -> checkStart(name, child, spec));
        }
    }

    private void finished(String name, Child child, @Nullable ChildProcess process, @Nullable Throwable failure) {
        if (failure != null) {
            loop.execute(() -> failed(name, child, failure));
        } else if (process != null) {
            loop.inOrder(() -> started(name, child, process));
        }
    }

    private void started(String name, Child child, ChildProcess process) {
        if (child.abandoned) {
            LOG.warn("{}: process {} has started too late and ends", name, process.pid());
            process.stop();
            return;
        }
        LOG.info("{} runs as process {}", name, process.pid());
        child.process = process;
        process.exit()
                .whenComplete((status, failure) -> loop.execute(() -> {
                    children.remove(name, child);
                    ends.ended(
                            name,
                            status == null ? ChildExit.notStarted(failure) : ChildExit.of(process, status),
                            child.stopped);
                }));
        if (child.stopped) {
            process.stop();
        }
    }

    private void failed(String name, Child child, Throwable failure) {
        if (child.abandoned) {
            LOG.warn("{}: could not be started after all: {}", name, Failures.describe(failure));
            return;
        }
        children.remove(name, child);
        LOG.warn("{} could not be started: {}", name, Failures.describe(failure));
        ends.notStarted(name, failure);
    }

    private void checkStart(String name, Child child, ChildSpec spec) {
        if (children.get(name) != child || child.process != null) {
            return;
        }
        String late = spec.role() + " process in " + spec.directory() + ": " + LATE + " " + START_MAX.toSeconds()
                + " s (expected: a disk that answers)";
        if (spec.role().equals("executor")) {
            child.abandoned = true;
            children.remove(name);
            LOG.warn("{} counts as ended: {}", name, late);
            ends.notStarted(name, ErrorCode.START_FAILED.failure(late));
        } else {
            LOG.warn("{} still waits for its start: {}", name, late);
        }
    }

    /** Ends the process {@code name}, if there is one. Does not wait. */
    void stop(String name) {
        Child child = children.get(name);
        if (child != null) {
            child.stopped = true;
            if (child.process != null) {
                child.process.stop();
            }
        }
    }

    /** Names of the processes that start or run. */
    List<String> names() {
        return List.copyOf(children.keySet());
    }

    boolean isEmpty() {
        return children.isEmpty();
    }
}
