package dev.hearth.engine.internal.driver.loop;

import dev.hearth.api.HearthException;
import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.dag.DagEffect;
import dev.hearth.engine.internal.dag.DagScheduler;
import dev.hearth.engine.internal.dag.JobSpec;
import dev.hearth.engine.internal.dag.MapOutputId;
import dev.hearth.engine.internal.dag.Moment;
import dev.hearth.engine.internal.dag.OutputLoss;
import dev.hearth.engine.internal.dataset.ResultCollector;
import dev.hearth.engine.internal.driver.blocks.MapOutputMigrator;
import dev.hearth.engine.internal.driver.executors.ExecutorLink;
import dev.hearth.engine.internal.driver.executors.TaskScheduling;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.MapOutputLocations;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.protocol.DriverProtocol.RunningTask;
import dev.hearth.engine.internal.resource.ProfileRegistry;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.engine.internal.scheduler.SchedulerEffect;
import dev.hearth.engine.internal.scheduler.TaskScheduler;
import dev.hearth.engine.internal.scheduler.TaskSetId;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.monitor.PoolView;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the stage scheduler and the task scheduler. Passes events to them and performs the effects that they return,
 * until no effect is left. An effect may concern the other scheduler, executors or waiting jobs. Owned by the driver's
 * event loop.
 */
public final class SchedulerShell
        implements SchedulerEffect.Handler, DagEffect.Handler, MapOutputMigrator.MapOutputs, TaskScheduling {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.engine.Scheduler");

    private final EventLoop loop;
    private final TaskScheduler tasks;
    private final DagScheduler stages;
    private final ProfileRegistry profiles;
    private final CommitsAndBarriers coordination;
    private final Callbacks outlets;
    private final WaitingJobs jobs = new WaitingJobs();
    private final WakeTimer wake;
    private boolean settleScheduled;
    private boolean interrupting;
    private boolean publishingTasks = true; // true: one event per task, false: sums
    private boolean closed;
    private Moment now = new Moment(0, 0);
    private final PublishedPools pools = new PublishedPools();

    /** Performs effects that concern other components of the driver. Called on the driver's event loop. */
    interface Callbacks {
        void send(ExecutorId executor, Consumer<ExecutorLink> order);

        /** Host name or IP address of an executor. Empty text if the executor is no longer registered. */
        String address(ExecutorId executor);

        /** Merges the accumulator updates of a task, on another thread if they run user code. */
        void mergeAccumulators(TaskEnd end);

        /** Runs {@code action} on the event loop once the accumulator updates of all ended tasks are merged. */
        void afterMerges(Runnable action);

        void publish(ApplicationEvent event);

        TaskEventSink tasks();

        /** Asks the cluster manager to start no executors on {@code hosts}, which replace the previous set. */
        void exclude(Set<String> hosts);

        /** Gives an excluded executor back to the cluster manager, which may then start another executor. */
        void release(ExecutorId executor, String reason);

        /**
         * Called when a stage is created, before the first task of its {@code plan} is launched. {@link #stageRemoved}
         * is called after the last task.
         */
        void stageCreated(StagePlan plan);

        void stageRemoved(StagePlan plan);

        /** Called after each round of scheduling, when no effect of the two schedulers is left to perform. */
        void settled();

        /**
         * Ends the application, because one of the schedulers has thrown {@code failure}, which is a bug of the engine.
         */
        void failed(Throwable failure);
    }

    /**
     * Publishes task events. If a listener subscribes to single tasks, publishes one event per task, and otherwise only
     * cheap sums. Called on the driver's event loop.
     */
    interface TaskEventSink {
        boolean wantsTasks();

        void taskEnded(long atMillis, TaskInfo task, TaskEnd end);

        void countStarted(long atMillis, TaskSetId set, int tasks);

        void countEnded(long atMillis, TaskInfo task, TaskEnd end);
    }

    SchedulerShell(
            EventLoop loop,
            TaskScheduler tasks,
            DagScheduler stages,
            ProfileRegistry profiles,
            CommitsAndBarriers coordination,
            Callbacks outlets) {
        this.loop = loop;
        this.tasks = tasks;
        this.stages = stages;
        this.profiles = profiles;
        this.coordination = coordination;
        coordination.onWaiting(this::settleSoon);
        this.outlets = outlets;
        this.wake = new WakeTimer(loop, this::settleSoon);
    }

    void submit(JobSpec job, ResultCollector<?> results, CompletableFuture<Void> done) {
        jobs.add(job.id(), results, done);
        guarded(() -> {
            moment();
            job.plan().stages().stream()
                    .map(StagePlan::profile)
                    .filter(profile -> !profile.isDefault())
                    .forEach(this::use);
            stages.submit(job, now);
            settle();
        });
    }

    /**
     * Runs {@code cancellation}, which cancels jobs. If {@code interrupt} is set, the threads of their tasks are
     * interrupted, even if the jobs were not submitted with that option.
     */
    void cancel(boolean interrupt, BiConsumer<DagScheduler, Moment> cancellation) {
        guarded(() -> {
            interrupting = interrupt;
            try {
                cancellation.accept(stages, moment());
                settle();
            } finally {
                interrupting = false;
            }
        });
    }

    /** Has the stage scheduler drop a shuffle that no dataset needs. Then {@code remove} deletes its map outputs. */
    void forgetShuffle(int shuffle, IntConsumer remove) {
        stages.forgetShuffle(shuffle);
        remove.accept(shuffle);
    }

    boolean killTask(long task, boolean interrupt, String reason) {
        boolean killed = tasks.killTask(task, interrupt, reason);
        settleSoon();
        return killed;
    }

    @Override
    public void executorUp(
            ExecutorId executor,
            String host,
            int cores,
            Map<String, ResourceInformation> resources,
            ProfileId profile) {
        guarded(() -> {
            tasks.executorUp(executor, host, cores, resources, profiles.tasks(profile), moment().nanos());
            profiles.tasks().forEach(this::slotsOf);
            settleSoon();
        });
    }

    private void use(TaskProfile profile) {
        tasks.use(profile);
        slotsOf(profile);
    }

    private void slotsOf(TaskProfile profile) {
        stages.slots(profile, tasks.slots(profile), now);
    }

    @Override
    public void suspend(ExecutorId executor) {
        tasks.suspend(executor);
        settleSoon();
    }

    @Override
    public void decommission(ExecutorId executor) {
        stages.executorDecommissioned(executor);
        tasks.decommission(executor);
        settleSoon();
    }

    @Override
    public void recommission(ExecutorId executor) {
        stages.executorRecommissioned(executor);
        tasks.recommission(executor);
        settleSoon();
    }

    @Override
    public void hold(boolean launchesHeld) {
        tasks.hold(launchesHeld);
        settleSoon();
    }

    @Override
    public void explainLoss(ExecutorId executor, String reason) {
        tasks.explainLoss(executor, reason);
    }

    @Override
    public List<MapOutputId> on(ExecutorId executor) {
        return stages.outputsOn(executor);
    }

    @Override
    public void moved(MapOutputId output, ExecutorId from, ExecutorId to, String host) {
        stages.outputMoved(output, from, to, host);
    }

    @Override
    public void executorLost(ExecutorId executor, String host, LostExecutor why, boolean outputsSurvive) {
        guarded(() -> {
            OutputLoss what = outputsSurvive ? OutputLoss.NONE : OutputLoss.of(why.cause());
            stages.executorLost(executor, host, what, why.cause().chargesTasks(), moment());
            tasks.executorLost(executor, why, now.nanos());
            profiles.tasks().forEach(this::slotsOf);
            settleSoon();
        });
    }

    @Override
    public void servedBy(ExecutorId executor, ExecutorId service) {
        stages.servedBy(executor, service);
    }

    @Override
    public void serviceLost(ExecutorId service, String host) {
        guarded(() -> stages.executorLost(service, host, OutputLoss.OF_THE_EXECUTOR, false, moment()));
        settleSoon();
    }

    /** Records the progress of running tasks. Does not search for slow tasks, because that happens periodically. */
    void progressed(ExecutorId executor, List<RunningTask> running) {
        if (closed) {
            return;
        }
        long at = moment().nanos();
        for (RunningTask task : running) {
            tasks.taskStarted(executor, task.task(), at - TimeUnit.MILLISECONDS.toNanos(task.ranMillis()));
            tasks.progressed(executor, task.task(), task.recordsRead());
        }
    }

    /** Handles ended tasks. Settles at once, because pending tasks wait for the cores that have become free. */
    void tasksEnded(ExecutorId executor, List<TaskEnd> ends) {
        if (closed) {
            return;
        }
        guarded(() -> {
            long at = moment().nanos();
            for (TaskEnd end : ends) {
                tasks.updated(executor, end, at);
            }
            settle();
        });
    }

    /** Fails all jobs with {@code why}. Ends of tasks that arrive later are ignored. */
    void close(HearthException why) {
        closed = true;
        try {
            stages.cancelAll(why, moment());
            settle();
        } finally { // the waiting jobs must fail even if a scheduler throws
            coordination.close();
            jobs.failAll(why);
            wake.cancel();
        }
    }

    boolean isStarving() {
        return tasks.isStarving();
    }

    @Override
    public int cores() {
        return tasks.cores();
    }

    @Override
    public int slots(ProfileId profile, int cores, Map<String, ResourceInformation> resources) {
        return tasks.slots(profiles.tasks(profile), cores, resources);
    }

    int activeJobs() {
        return stages.activeJobs();
    }

    /** A recent snapshot of the scheduling pools and their task counts, for status pages. Thread-safe. */
    List<PoolView> pools() {
        return pools.published();
    }

    /**
     * Calls {@link #settle} after all events that now wait in the event loop's inbox, so that many events share one
     * round of launches.
     */
    private void settleSoon() {
        if (!settleScheduled) {
            settleScheduled = true;
            loop.execute(() -> {
                settleScheduled = false;
                moment();
                guarded(this::settle);
            });
        }
    }

    /**
     * Runs a step of scheduling. If the step throws, the schedulers may be in an inconsistent state, so the application
     * ends.
     */
    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) { // catches Errors too, such as a lack of memory: else jobs would wait for ever
            outlets.failed(failure);
        }
    }

    /** Lets the stage scheduler and the task scheduler decide and performs their effects, until no effect is left. */
    private void settle() {
        if (publishingTasks != outlets.tasks().wantsTasks()) {
            publishingTasks = !publishingTasks;
            tasks.publishTaskStarts(publishingTasks);
        }
        stages.tick(now);
        coordination.tick(now.nanos());
        boolean more = true;
        while (more) {
            List<DagEffect> stageEffects = stages.drain();
            stageEffects.forEach(effect -> effect.perform(this));
            tasks.settle(now.nanos(), now.millis());
            List<SchedulerEffect> taskEffects = tasks.drain();
            taskEffects.forEach(effect -> effect.perform(this));
            more = !stageEffects.isEmpty() || !taskEffects.isEmpty();
        }
        pools.refresh(tasks, now.nanos());
        wake.set(now.nanos(), coordination.nextWakeNanos(), tasks.nextWakeNanos(), stages.nextWakeNanos());
        outlets.settled();
    }

    /** Handles racks of these hosts that have become known. */
    void racksFound(Collection<String> hosts) {
        tasks.racksFound(hosts);
        settleSoon();
    }

    @Override
    public boolean isBusy(ExecutorId executor) {
        return tasks.isBusy(executor);
    }

    private Moment moment() {
        now = new Moment(loop.ticker().nanos(), loop.ticker().wall().toEpochMilli());
        return now;
    }

    @Override
    public void onDefine(SchedulerEffect.Define effect) {
        outlets.send(effect.executor(), link -> link.define(effect.plan()));
    }

    @Override
    public void onLaunch(SchedulerEffect.Launch effect) {
        if (effect.batch().plan().barrier()) {
            coordination.launched(effect.batch(), effect.executor(), outlets.address(effect.executor()));
        }
        List<MapOutputLocations> shuffles = effect.batch().plan().parents().stream()
                .flatMap(shuffle -> stages.mapOutputLocations(shuffle).stream())
                .toList();
        outlets.send(effect.executor(), link -> {
            try {
                link.launch(effect.batch(), shuffles);
            } catch (HearthException refusal) { // a task is too large for a message, so no task was sent
                loop.execute(() -> unsent(effect, refusal));
            }
        });
    }

    /** Handles a batch of tasks that could not be sent: fails the jobs of its stage and reports its tasks as killed. */
    private void unsent(SchedulerEffect.Launch launch, HearthException why) {
        LaunchBatch batch = launch.batch();
        guarded(() -> {
            long at = moment().nanos();
            TaskSetId set = new TaskSetId(batch.stage(), batch.stageAttempt());
            stages.setFailed(new SchedulerEffect.SetFailed(set, why), now);
            TaskFailure failure = TaskFailure.of(String.valueOf(why.getMessage()));
            for (int index = 0; index < batch.size(); index++) {
                TaskEnd end = TaskEnd.ended(batch.task(index), TaskOutcome.KILLED, failure, TaskMetrics.NONE);
                tasks.updated(launch.executor(), end, at);
            }
            settle();
        });
    }

    @Override
    public void onStarted(SchedulerEffect.Started effect) {
        outlets.tasks().countStarted(now.millis(), effect.set(), effect.tasks());
    }

    @Override
    public void onKill(SchedulerEffect.Kill effect) {
        outlets.send(effect.executor(), link -> link.kill(effect.task(), effect.kind(), effect.reason()));
    }

    @Override
    public void onForget(SchedulerEffect.Forget effect) {
        outlets.send(effect.executor(), link -> link.forget(effect.plan()));
    }

    @Override
    public void onSucceeded(SchedulerEffect.Succeeded effect) {
        taskEnded(effect.set(), effect.task(), effect.end());
        stages.succeeded(effect, now);
    }

    @Override
    public void onEnded(SchedulerEffect.Ended effect) {
        taskEnded(effect.set(), effect.task(), effect.end());
        stages.ended(effect);
    }

    @Override
    public void onFetchFailed(SchedulerEffect.FetchFailed effect) {
        taskEnded(effect.set(), effect.task(), effect.end());
        stages.fetchFailed(effect, now).ifPresent(lost -> LOG.warn("{}; it is computed again", lost));
    }

    private void taskEnded(TaskSetId set, TaskInfo task, TaskEnd end) {
        coordination.taskEnded(set, task, end.outcome());
        if (publishingTasks) {
            outlets.tasks().taskEnded(now.millis(), task, end);
        } else {
            outlets.tasks().countEnded(now.millis(), task, end);
        }
    }

    @Override
    public void onSetFailed(SchedulerEffect.SetFailed effect) {
        stages.setFailed(effect, now);
    }

    @Override
    public void onBarrierBroken(SchedulerEffect.BarrierBroken effect) {
        stages.barrierBroken(effect, now);
    }

    @Override
    public void onDrained(SchedulerEffect.Drained effect) {
        stages.drained(effect);
    }

    @Override
    public void onExcludeHosts(SchedulerEffect.ExcludeHosts effect) {
        outlets.exclude(effect.hosts());
    }

    @Override
    public void onReleaseExecutor(SchedulerEffect.ReleaseExecutor effect) {
        outlets.release(effect.executor(), effect.reason());
    }

    @Override
    public void onPublishEvent(SchedulerEffect.PublishEvent effect) {
        outlets.publish(effect.event());
    }

    @Override
    public void onSubmit(DagEffect.Submit effect) {
        coordination.submitted(effect.tasks());
        tasks.submit(effect.tasks(), now.nanos());
    }

    @Override
    public void onCancel(DagEffect.Cancel effect) {
        tasks.cancel(effect.set(), interrupting || effect.interrupt(), effect.reason());
    }

    @Override
    public void onResult(DagEffect.Result effect) {
        jobs.result(effect);
    }

    @Override
    public void onCount(DagEffect.MergeAccumulators effect) {
        if (!effect.end().accumulated().isEmpty()) {
            outlets.mergeAccumulators(effect.end());
        }
    }

    @Override
    public void onCompleted(DagEffect.Completed effect) {
        jobs.remove(effect.job()).ifPresent(done -> outlets.afterMerges(() -> done.complete(null)));
    }

    @Override
    public void onFailed(DagEffect.Failed effect) {
        jobs.remove(effect.job())
                .ifPresent(done -> outlets.afterMerges(() -> done.completeExceptionally(effect.failure())));
    }

    @Override
    public void onStageAttemptEnded(DagEffect.StageAttemptEnded effect) {
        coordination.setEnded(effect.set());
    }

    @Override
    public void onStageCreated(DagEffect.StageCreated effect) {
        outlets.stageCreated(effect.plan());
    }

    @Override
    public void onStageRemoved(DagEffect.StageRemoved effect) {
        outlets.stageRemoved(effect.plan());
    }

    @Override
    public void onPublishEvent(DagEffect.PublishEvent effect) {
        outlets.publish(effect.event());
    }
}
