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
 * The tasks of one executor: what it knows of stages, what waits, what runs. Owned by the loop that calls it; cores take
 * tasks from the queue by themselves. Invariant: every launched task is reported exactly once, unless the executor is
 * stopped before. Reports come from the cores' threads, and from the caller's for what never ran.
 */
public final class TaskRunner {
    private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);
    private static final Duration LOOK_INTERVAL = Duration.ofMillis(5);
    private static final int LOOKS_IN_VAIN = 20;

    private final TaskServices services;
    private final Consumer<List<TaskEnd>> report;
    private final Queue<TaskBatch> queue = new ConcurrentLinkedQueue<>();
    private final IdentityHashMap<StagePlan, PreparedPipeline> stages =
            new IdentityHashMap<>(); // asked for, never gone through
    private final List<TaskCore> cores = new CopyOnWriteArrayList<>();
    private final Keeper keeper = new Keeper();
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

    /** Makes a stage known, before its first launch. */
    public void define(StagePlan plan) {
        stages.computeIfAbsent(plan, missing -> new PreparedPipeline(missing, services));
        if (plan.pipeline().sink() instanceof Sink.ShuffleWrite write) {
            services.data().shuffles().open(write.shuffle(), plan.partitions(), write.partitions());
        }
    }

    /** Takes over a batch and runs its tasks as cores are free. */
    public void launch(LaunchBatch batch) {
        launch(batch, batch.plan().inputs());
    }

    /** As {@link #launch(LaunchBatch)}, with inputs that came with the batch. */
    public void launch(LaunchBatch batch, PartitionInputs inputs) {
        if (stopped || batch.size() == 0) {
            return;
        }
        PreparedPipeline stage = stages.get(batch.plan());
        if (stage == null) {
            for (int index = 0; index < batch.size(); index++) {
                refuse(batch.task(index), "stage " + batch.stage() + ": was never made known to this executor");
            }
            return;
        }
        queue.add(new TaskBatch(stage, batch, inputs));
        threads.wake(batch.size());
    }

    /** Reports a launched task that cannot be run here. */
    void refuse(long task, String reason) {
        report.accept(List.of(never(task, TaskOutcome.FAILED, reason)));
    }

    /**
     * Recalls a task that has not begun, and tells one that runs to end, unless it is only to be taken back; others have been
     * reported.
     */
    public void kill(long task, KillKind kind, String reason) {
        for (TaskBatch batch : queue) {
            if (recall(batch, task, reason)) {
                return;
            }
        }
        for (TaskCore core : cores) { // may hold tasks that were taken and have not begun
            TaskBatch batch = core.holding();
            if (batch != null && recall(batch, task, reason)) {
                return;
            }
        }
        if (kind == KillKind.RECALL) {
            return; // it has begun meanwhile, and goes on
        }
        for (TaskCore core : cores) {
            TaskAttempt attempt = core.current();
            if (attempt != null && attempt.taskId() == task) {
                attempt.kill(kind == KillKind.INTERRUPT, reason);
                services.data().wake();
                reaper.watch(core, attempt, threads);
                return;
            }
        }
    }

    /** What runs for that long at least, and what it has read by now, about. */
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

    /** No task of the stage will come any more; what waits or runs of it goes on. */
    public void forget(StagePlan plan) {
        stages.remove(plan);
    }

    /** Tells all tasks to end, reports nothing more, and lets the threads go. */
    public void stop() {
        stopped = true;
        queue.clear();
        for (TaskCore core : cores) {
            core.retire(); // before its attempt is looked for: it begins none behind that
            TaskAttempt attempt = core.current();
            if (attempt != null) {
                attempt.kill(true, "the executor is stopped");
            }
        }
        services.data().wake();
        threads.stop();
    }

    private TaskCore core() {
        return new TaskCore(services, queue, report, keeper);
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

    /** Looks after ends that wait behind a long task, for as long as there are any, and after what goes wrong. */
    private final class Keeper implements CoreListener {
        private final AtomicBoolean looking = new AtomicBoolean();

        @Override
        public void gathering() {
            if (!looking.get() && looking.compareAndSet(false, true)) {
                threads.after(LOOK_INTERVAL, () -> look(LOOKS_IN_VAIN));
            }
        }

        private void look(int left) {
            try {
                lookOnce(left);
            } catch (Throwable failure) { // an Error too: who waits for those ends must hear of it
                looking.set(false); // the next end that waits has somebody look again
                outOfControl("handing over the ends of tasks", failure);
            }
        }

        private void lookOnce(int left) {
            boolean found = false;
            for (TaskCore core : cores) {
                found |= core.handOver();
            }
            if (found) {
                threads.after(LOOK_INTERVAL, () -> look(LOOKS_IN_VAIN));
            } else if (left > 0) {
                threads.after(LOOK_INTERVAL, () -> look(left - 1));
            } else {
                looking.set(false);
                cores.forEach(TaskCore::handOver); // what was added before others could see that nobody looks
            }
        }

        @Override
        public void ended(TaskAttempt attempt) {
            reaper.ended(attempt);
        }

        @Override
        public void outOfControl(String subject, Throwable error) {
            TaskFailure told = TaskFailures.describe(error); // by itself it may throw when it is asked what it is
            LOG.error(
                    "{}: {}: {} {}",
                    subject,
                    services.inDriver() ? "the application goes on" : "the executor ends",
                    told.text(),
                    told.frames());
            services.fatality()
                    .report(
                            error instanceof OutOfMemoryError ? ExitCode.OUT_OF_MEMORY : ExitCode.UNCAUGHT,
                            subject + ": " + told.text());
        }
    }
}
