package dev.hearth.engine.internal.driver.executors;

import dev.hearth.engine.internal.executor.Cores;
import dev.hearth.engine.internal.executor.TaskRunner;
import dev.hearth.engine.internal.executor.TaskServices;
import dev.hearth.engine.internal.executor.ThreadDump;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.ThreadView;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/**
 * Starts executors inside the driver's process. The driver's event loop sends them orders; their tasks run on separate
 * threads. A thread that reports the end of a task also runs the event loop if the loop is idle, which saves a thread
 * switch.
 */
public final class InProcessExecutors implements ExecutorHost {
    private final EventLoop loop;
    private final ApplicationLoader code;
    private final Cores.Factory cores;
    private final TaskServices services;
    private final ExecutorRegistry registry;
    private final ExecutorFleet fleet;
    private final BiConsumer<ExecutorId, List<TaskEnd>> tasksEnded;
    private final OwnResources resources;

    public InProcessExecutors(
            EventLoop loop,
            ApplicationLoader code,
            Cores.Factory cores,
            TaskServices services,
            ExecutorRegistry registry,
            ExecutorFleet fleet,
            BiConsumer<ExecutorId, List<TaskEnd>> tasksEnded,
            OwnResources resources) {
        this.loop = loop;
        this.code = code;
        this.cores = cores;
        this.services = services;
        this.registry = registry;
        this.fleet = fleet;
        this.tasksEnded = tasksEnded;
        this.resources = resources;
    }

    @Override
    public RunningExecutor start(ExecutorId executor, int count) {
        TaskRunner tasks = new TaskRunner(
                code.classes(),
                resources.slots(count),
                cores,
                services,
                ends -> loop.executeHere(() -> tasksEnded(executor, ends)));
        resources
                .find(count)
                .whenComplete((found, failure) -> loop.execute(() -> {
                    if (failure == null) {
                        fleet.admitInProcess(executor, count, found, new Link(tasks));
                    } else {
                        resources.fail(failure);
                    }
                }));
        return () -> loop.execute(tasks::stop);
    }

    private void tasksEnded(ExecutorId executor, List<TaskEnd> ends) {
        if (registry.heartbeat(executor, ExecutorRegistry.NO_PEER, loop.ticker().nanos())) {
            tasksEnded.accept(executor, ends);
        }
    }

    private record Link(TaskRunner tasks) implements ExecutorLink {
        @Override
        public void define(StagePlan plan) {
            tasks.define(plan);
        }

        @Override
        public void launch(LaunchBatch batch, List<MapOutputLocations> shuffles) {
            tasks.launch(batch);
        }

        @Override
        public void forget(StagePlan plan) {
            tasks.forget(plan);
        }

        @Override
        public void executorsLost(List<ExecutorId> others) {} // this is the only executor

        @Override
        public void dropShuffle(int shuffle) {} // the driver removes the outputs from the shared store

        @Override
        public void dropResult(long task) {} // results are passed as objects and never stored

        @Override
        public void dropBroadcast(long broadcast) {} // tasks in this process read the driver's value

        @Override
        public void dropCached(int dataset) {} // the driver removes the blocks from the shared store

        @Override
        public void pinCached(int dataset) {} // the driver pins the blocks in the shared store

        @Override
        public void copy(ReplicateBlock order) {} // never called: there is no other executor

        @Override
        public void copy(MigrateMapOutput order) {} // never called: there is no other executor

        @Override
        public void kill(long task, KillKind kind, String reason) {
            tasks.kill(task, kind, reason);
        }

        @Override
        public CompletionStage<List<ThreadView>> threads() {
            return CompletableFuture.completedStage(ThreadDump.take());
        }

        @Override
        public void stop(String reason) {
            tasks.stop();
        }
    }
}
