package dev.hearth.engine.internal.executor;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.KillKind;
import dev.hearth.engine.internal.plan.LaunchBatch;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Sink;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.protocol.DriverProtocol.RunningTask;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.spi.error.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the tasks of one executor: holds its stages, its queue of batches and its cores. Owned by the event loop that
 * calls it; cores take tasks from the queue on their own threads.
 * <p>Invariant: every launched task is reported exactly once, unless the executor is stopped first. Reports are made on
 * the cores' threads, or on the calling thread for tasks that never ran.
 */
public final class TaskRunner {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(5);
    private static final int IDLE_CHECKS_MAX = 20;

    private final TaskServices services;
    private final int slots; // tasks that need as many cores as the settings say
    private final Consumer<List<TaskEnd>> report;
    private final Queue<TaskBatch> queue = new ConcurrentLinkedQueue<>();
    // Never iterated.
    private final IdentityHashMap<StagePlan, PreparedPipeline> stages = new IdentityHashMap<>();
    private final List<TaskCore> cores = new CopyOnWriteArrayList<>();
    private final Watch watch = new Watch();
    private final TaskReaper reaper;
    private final Cores threads;
    private volatile boolean stopped;

    public TaskRunner(
            ClassLoader application,
            int cores,
            Cores.Factory threads,
            TaskServices services,
            Consumer<List<TaskEnd>> report) {
        this.services = services;
        this.slots = cores;
        this.report = ends -> {
            if (!stopped) {
                report.accept(ends);
            }
        };
        this.reaper = new TaskReaper(services, this::replace);
        for (int made = 0; made < cores; made++) {
            this.cores.add(core());
        }
        this.threads = threads.start(application, List.copyOf(this.cores));
    }

    /** Prepares a stage. Called before the first launch of its tasks. */
    public void define(StagePlan plan) {
        addCoresFor(plan.profile());
        stages.computeIfAbsent(plan, missing -> new PreparedPipeline(missing, services));
        if (plan.pipeline().sink() instanceof Sink.ShuffleWrite write) {
            services.data().shuffles().open(write.shuffle(), plan.partitions(), write.partitions());
        }
    }

    /** Adds threads if tasks of a profile need fewer cores than others, so that more of them run at the same time. */
    private void addCoresFor(TaskProfile profile) {
        if (profile.isDefault()) {
            return;
        }
        int most = slots * services.cpusPerTask() / profile.needs().cpus();
        while (cores.size() < most) {
            TaskCore added = core();
            cores.add(added);
            threads.add(added);
        }
    }

    /** Queues a batch of tasks, which run as cores become free. */
    public void launch(LaunchBatch batch) {
        launch(batch, batch.plan().inputs());
    }

    /**
     * Queues a batch of tasks. {@code inputs} are the inputs of their partitions, which the launch message contained.
     */
    public void launch(LaunchBatch batch, PartitionInputs inputs) {
        if (stopped || batch.size() == 0) {
            return;
        }
        PreparedPipeline stage = stages.get(batch.plan());
        if (stage == null) {
            for (int index = 0; index < batch.size(); index++) {
                refuse(
                        batch.task(index),
                        "stage " + batch.stage()
                                + ": was never sent to this executor (expected: sent before its tasks)");
            }
            return;
        }
        queue.add(new TaskBatch(stage, batch, inputs));
        threads.wake(batch.size());
    }

    /** Reports a launched task as failed because it cannot run on this executor. */
    void refuse(long task, String reason) {
        report.accept(List.of(never(task, TaskOutcome.FAILED, reason)));
    }

    /**
     * Cancels the task {@code task} if it has not begun. Kills it if it runs, unless {@code kind} is a recall. Does
     * nothing if the end of the task has been reported.
     */
    public void kill(long task, KillKind kind, String reason) {
        for (TaskBatch batch : queue) {
            if (recall(batch, task, reason)) {
                return;
            }
        }
        for (TaskCore core : cores) { // a core may still use the task's batch after the batch has left the queue
            TaskBatch batch = core.holding();
            if (batch != null && recall(batch, task, reason)) {
                return;
            }
        }
        if (kind == KillKind.RECALL) {
            return; // the task has begun, and a recall does not stop a running task
        }
        for (TaskCore core : cores) {
            TaskAttempt attempt = core.current();
            if (attempt != null && attempt.taskId() == task) {
                attempt.kill(kind == KillKind.INTERRUPT, reason);
                attempt.callInterruptListeners(threads::beside);
                services.data().wake();
                reaper.watch(core, attempt, threads);
                return;
            }
        }
    }

    /** Returns the tasks that have run for at least {@code atLeast}, with their approximate progress. */
    List<RunningTask> running(Duration atLeast) {
        List<RunningTask> running = new ArrayList<>();
        for (TaskCore core : cores) {
            TaskAttempt attempt = core.current();
            Duration ran = attempt == null
                    ? Duration.ZERO
                    : Duration.ofNanos(services.clocks().nanos() - attempt.begunNanos());
            if (attempt != null && ran.compareTo(atLeast) >= 0) {
                running.add(new RunningTask(attempt.taskId(), ran.toMillis(), attempt.recordsRead()));
            }
        }
        return running;
    }

    /**
     * Removes the prepared form of a stage of which no further tasks will be launched. Tasks of it that are queued or
     * running continue.
     */
    public void forget(StagePlan plan) {
        stages.remove(plan);
    }

    /** Kills all tasks, suppresses further reports, and stops the threads. */
    public void stop() {
        stopped = true;
        queue.clear();
        for (TaskCore core : cores) {
            core.retire(); // retired before `current` is read, because a retired core begins no further attempt
            TaskAttempt attempt = core.current();
            if (attempt != null) {
                attempt.kill(true, "the executor is stopped");
                attempt.callInterruptListeners(threads::beside);
            }
        }
        services.data().wake();
        threads.stop();
    }

    private TaskCore core() {
        return new TaskCore(services, queue, report, watch);
    }

    private void replace(TaskCore lost) {
        TaskCore core = core();
        cores.remove(lost);
        cores.add(core);
        threads.add(core);
    }

    private boolean recall(TaskBatch batch, long task, String reason) {
        int index = batch.find(task);
        if (index == TaskBatch.NONE || !batch.recall(index)) {
            return false;
        }
        report.accept(List.of(never(task, TaskOutcome.RECALLED, reason)));
        return true;
    }

    private static TaskEnd never(long task, TaskOutcome outcome, String reason) {
        return TaskEnd.ended(task, outcome, TaskFailure.of(reason), TaskMetrics.NONE);
    }

    /**
     * Listener to the cores. If a core runs a long task, reports the ends of earlier tasks that the core has collected
     * but not yet reported. Also handles fatal errors of cores.
     */
    private final class Watch implements CoreListener {
        private final AtomicBoolean checking = new AtomicBoolean();

        @Override
        public void endsPending() {
            if (!checking.get() && checking.compareAndSet(false, true)) {
                threads.after(CHECK_INTERVAL, () -> check(IDLE_CHECKS_MAX));
            }
        }

        private void check(int left) {
            try {
                checkOnce(left);
            } catch (Throwable failure) { // catches Errors too, because unreported ends would leave jobs waiting
                checking.set(false); // reset, so that the next unreported end starts the check again
                fatalError("the ends of tasks could not be reported", failure);
            }
        }

        private void checkOnce(int left) {
            boolean found = false;
            for (TaskCore core : cores) {
                found |= core.handOver();
            }
            if (found) {
                threads.after(CHECK_INTERVAL, () -> check(IDLE_CHECKS_MAX));
            } else if (left > 0) {
                threads.after(CHECK_INTERVAL, () -> check(left - 1));
            } else {
                checking.set(false);
                // reports ends added before their threads could see that the check has stopped
                cores.forEach(TaskCore::handOver);
            }
        }

        @Override
        public void killedAttemptEnded(TaskAttempt attempt) {
            reaper.ended(attempt);
        }

        @Override
        public void fatalError(String subject, Throwable error) {
            // computed here, because the methods of the error may throw
            TaskFailure failure = TaskFailures.describe(error);
            LOG.error(
                    "{}: {}: {} {}",
                    subject,
                    services.inDriver() ? "the application goes on" : "the executor ends",
                    failure.text(),
                    failure.frames());
            services.fatality()
                    .report(
                            error instanceof OutOfMemoryError ? ExitCode.OUT_OF_MEMORY : ExitCode.UNCAUGHT,
                            subject + ": " + failure.text());
        }
    }
}
