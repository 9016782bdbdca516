package dev.hearth.engine.internal.executor;

import dev.hearth.api.task.ResourceInformation;
import dev.hearth.engine.internal.attachments.AttachedFiles;
import dev.hearth.engine.internal.fetch.MapOutputReceiver;
import dev.hearth.engine.internal.fetch.RemoteCachedBlocks;
import dev.hearth.engine.internal.fetch.RemoteShuffleReader;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskInput;
import dev.hearth.engine.internal.plan.TemplateId;
import dev.hearth.engine.internal.protocol.DriverProtocol.BlockReplicated;
import dev.hearth.engine.internal.protocol.DriverProtocol.MapOutputMigrated;
import dev.hearth.engine.internal.protocol.DriverProtocol.Progress;
import dev.hearth.engine.internal.protocol.DriverProtocol.RunningTask;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DefineStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropCached;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.DropShuffle;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ExecutorLost;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ForgetStage;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.LaunchTasks;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.MigrateMapOutput;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.ReplicateBlock;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.TaskLaunch;
import dev.hearth.engine.internal.protocol.StageMessages;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.EndpointRef;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the driver's orders in a ready executor, and keeps the table of stage templates. Owned by the executor's
 * event loop.
 */
final class RemoteTasks {
    private static final Duration REPORTED_AFTER =
            Duration.ofMillis(100); // shorter tasks are not reported, because the driver does not speculate on them

    final TaskRunner runner;
    final RemoteBroadcastValues broadcasts;
    final AttachedFiles attached;
    final LargeResults results;
    final DataPlane data;
    final RemoteShuffleReader shuffles;
    final RemoteCachedBlocks kept;
    private final MapOutputReceiver outputs;
    private final EndpointRef driver;
    private final ExecutorId self;
    private final Map<TemplateId, StagePlan> plans = new LinkedHashMap<>();

    RemoteTasks(
            TaskRunner runner,
            RemoteBroadcastValues broadcasts,
            AttachedFiles attached,
            LargeResults results,
            DataPlane data,
            RemoteShuffleReader shuffles,
            RemoteCachedBlocks kept,
            MapOutputReceiver outputs,
            EndpointRef driver,
            ExecutorId self) {
        this.runner = runner;
        this.broadcasts = broadcasts;
        this.attached = attached;
        this.results = results;
        this.data = data;
        this.shuffles = shuffles;
        this.kept = kept;
        this.outputs = outputs;
        this.driver = driver;
        this.self = self;
    }

    void define(DefineStage message) {
        if (!plans.containsKey(message.template())) {
            StagePlan plan = StageMessages.plan(message.body());
            plans.put(message.template(), plan);
            runner.define(plan);
        }
    }

    void launch(LaunchTasks message) {
        StagePlan plan = plans.get(message.template());
        if (plan == null) {
            message.tasks()
                    .forEach(task -> runner.refuse(
                            task.task(),
                            "task template " + message.template()
                                    + ": was never sent to this executor (expected: sent before its tasks)"));
            return;
        }
        LaunchBatch batch = new LaunchBatch(plan, message.stage(), message.stageAttempt());
        Map<Integer, TaskInput> inputs = new LinkedHashMap<>();
        Map<Long, Map<String, ResourceInformation>> resources = resources(message);
        for (TaskLaunch task : message.tasks()) {
            if (resources.isEmpty()) {
                batch.add(task.task(), task.partition(), task.attempt());
            } else {
                Map<String, ResourceInformation> own = resources.getOrDefault(task.task(), Map.of());
                batch.add(task.task(), task.partition(), task.attempt(), own);
            }
            inputs.put(task.partition(), StageMessages.input(task));
        }
        runner.launch(batch, partition -> inputs.getOrDefault(partition, TaskInput.NONE));
    }

    /** The addresses that the launched tasks may use, by task; empty if they need none. */
    private static Map<Long, Map<String, ResourceInformation>> resources(LaunchTasks message) {
        Map<Long, Map<String, ResourceInformation>> resources = new LinkedHashMap<>();
        message.resources().forEach(each -> resources.put(each.task(), ResourceInformation.byName(each.resources())));
        return resources;
    }

    /** Reports to the driver the progress of the tasks that have run for at least {@code REPORTED_AFTER}. */
    void reportProgress() {
        List<RunningTask> running = runner.running(REPORTED_AFTER);
        if (!running.isEmpty()) {
            driver.send(new Progress(self, running));
        }
    }

    void forget(ForgetStage message) {
        StagePlan plan = plans.remove(message.template());
        if (plan != null) {
            runner.forget(plan);
        }
    }

    /**
     * Replicates a block to this executor and reports the outcome to the driver. The driver receives the status of the
     * new block before the outcome.
     */
    void copy(ReplicateBlock message) {
        kept.keep(message)
                .whenComplete((nothing, failure) -> driver.send(
                        new BlockReplicated(self, message.dataset(), message.partition(), described(failure))));
    }

    void copy(MigrateMapOutput message) {
        outputs.take(message)
                .whenComplete((nothing, failure) ->
                        driver.send(new MapOutputMigrated(self, message.shuffle(), message.map(), described(failure))));
    }

    private static String described(@Nullable Throwable failure) {
        return failure == null ? "" : Failures.describe(failure);
    }

    void gone(ExecutorLost message) {
        shuffles.gone(message.executor());
        message.others().forEach(shuffles::gone);
    }

    void drop(DropShuffle message) {
        shuffles.forget(message.shuffle());
        outputs.forget(message.shuffle());
        data.removeShuffle(message.shuffle());
    }

    void drop(DropCached message) {
        kept.forget(message.dataset());
        data.removeKept(message.dataset(), Runnable::run);
    }

    void stop() {
        try {
            runner.stop();
        } finally {
            attached.close();
        }
    }
}
