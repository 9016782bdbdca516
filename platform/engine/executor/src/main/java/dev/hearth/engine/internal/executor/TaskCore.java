package dev.hearth.engine.internal.executor;

import dev.hearth.api.event.TaskOutcome;
import dev.hearth.api.launch.TaskRuntime;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.plan.AccumulatorUpdate;
import dev.hearth.engine.internal.plan.FetchFailure;
import dev.hearth.engine.internal.plan.StagePlan;
import dev.hearth.engine.internal.plan.TaskEnd;
import dev.hearth.engine.internal.plan.TaskFailure;
import dev.hearth.engine.internal.plan.TaskResult;
import dev.hearth.engine.internal.shuffle.FetchFailedException;
import dev.hearth.engine.internal.storage.CorruptBlockException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Core of an executor: takes tasks from the queue, runs them one by one on the thread that calls {@link #runNext}, and
 * reports ended tasks in batches. Owned by that thread. A separate lock guards {@code ends}, because other threads may
 * report ended tasks too.
 */
public final class TaskCore {
    private static final int ENDS_MAX = 64; // maximum number of ended tasks in one report

    // maximum delay before an ended task is reported, while more tasks wait
    private static final long ENDS_NANOS = 200_000;
    /**
     * Minimum duration of an attempt whose CPU time is measured. A shorter attempt uses its run time instead, because
     * reading the CPU clock would cost as much as the attempt.
     */
    private static final long CPU_MEASURED_NANOS = 100_000;

    /**
     * Minimum time between two readings of the garbage-collection clock, and minimum duration of an attempt that causes
     * a reading.
     */
    private static final long COLLECTION_MEASURED_NANOS = 1_000_000;

    private final TaskServices services;
    private final TaskClocks clocks;
    private final Queue<TaskBatch> queue;
    private final Consumer<List<TaskEnd>> report;
    private final CoreListener keeper;
    private final Object lock = new Object();
    private List<TaskEnd> ends = new ArrayList<>(); // guarded by lock
    private long cpuNanos;
    private long uncountedNanos; // run time of short attempts since the CPU clock was last read
    private long collectionNanos;
    private long collectionReadNanos;
    private long reportedNanos;
    private boolean pending; // whether ended tasks may be unreported; another thread may have reported them
    private boolean ended; // whether the current attempt ended without being abandoned
    private boolean reported; // whether the end of the current attempt is already batched or reported
    private int taken = TaskBatch.NONE; // batch index of the task that was taken but has neither begun nor ended
    private @Nullable TaskAttempt unreportedAttempt; // attempt that has ended but is not reported yet
    private volatile @Nullable TaskBatch holding; // batch in use, assigned before a task is taken from it
    private volatile @Nullable TaskAttempt current;
    private volatile boolean retired;

    TaskCore(TaskServices services, Queue<TaskBatch> queue, Consumer<List<TaskEnd>> report, CoreListener keeper) {
        this.services = services;
        this.clocks = services.clocks();
        this.queue = queue;
        this.report = report;
        this.keeper = keeper;
    }

    /**
     * Takes a task from the queue and runs it. Returns false if no task is left; all ended tasks have been reported in
     * this case.
     */
    public boolean runNext() {
        failUnreported();
        for (TaskBatch batch = queue.peek(); batch != null && !retired; batch = queue.peek()) {
            if (holding != batch) {
                holding = batch;
            }
            int index = batch.take();
            taken = index;
            if (pending) {
                keeper.endsPending();
            }
            if (index == TaskBatch.NONE) {
                queue.remove(batch);
                continue;
            }
            TaskAttempt attempt = batch.tasks.plan().barrier()
                    ? new BarrierAttempt(services, batch, index, clocks.nanos())
                    : new TaskAttempt(services, batch, index, clocks.nanos());
            current = attempt; // assigned before the attempt begins, so that a kill always finds it
            if (!retired && batch.begin(index)) { // a thread that retires this core reads `current` afterwards
                taken = TaskBatch.NONE;
                runSafely(attempt);
                return true;
            }
            taken = TaskBatch.NONE;
            current = null;
        }
        holding = null;
        TaskRuntime.enter(null);
        handOver();
        return false;
    }

    public boolean hasWork() {
        for (TaskBatch batch = queue.peek(); batch != null; batch = queue.peek()) {
            if (batch.isLeft()) {
                return true;
            }
            queue.remove(batch);
        }
        return false;
    }

    /** Resets the clocks after the thread was idle, so that idle time is not counted. */
    void resumed() {
        cpuNanos = clocks.cpuNanos();
        uncountedNanos = 0;
        reportedNanos = clocks.nanos();
    }

    /** Whether this core starts no more tasks, because another core has replaced it or the executor has stopped. */
    public boolean isRetired() {
        return retired;
    }

    /**
     * Reports {@code failure}, which the thread of this core threw outside any task, as fatal. If the core had already
     * taken a task, the core's next call of {@link #runNext} reports that task as failed.
     */
    void failed(Throwable failure) {
        keeper.fatalError("a thread that runs tasks failed", failure);
    }

    void retire() {
        retired = true;
    }

    @Nullable
    TaskBatch holding() {
        return holding;
    }

    @Nullable
    TaskAttempt current() {
        return current;
    }

    /**
     * Reports to the driver the ends of tasks that this core has collected since its last report. Returns false if
     * there were none. Any thread may call.
     */
    boolean handOver() {
        List<TaskEnd> taken;
        synchronized (lock) {
            if (ends.isEmpty()) {
                return false;
            }
            taken = ends;
            ends = new ArrayList<>();
        }
        try {
            report.accept(taken);
        } catch (Throwable failure) { // catches Errors too; the receiver ignores tasks that are reported twice
            synchronized (lock) {
                List<TaskEnd> untold = new ArrayList<>(taken);
                untold.addAll(ends);
                ends = untold;
            }
            throw failure;
        }
        return true;
    }

    /**
     * Adds the end of an attempt that the attempt's own thread cannot report. The next call of {@link #handOver}, by
     * this core or by another thread, reports it.
     */
    void addEnd(TaskEnd end) {
        synchronized (lock) {
            ends.add(end);
        }
    }

    /** Runs an attempt and reports its end, even if the executor itself fails, for example when memory is exhausted. */
    private void runSafely(TaskAttempt attempt) {
        ended = false;
        reported = false;
        try {
            run(attempt);
        } catch (Throwable crash) {
            if (!reported && (ended || attempt.end())) {
                unreportedAttempt = attempt;
                failUnreported(TaskFailures.describe(crash));
                handOver();
            } else if (!reported) {
                retired = true; // another thread has abandoned the attempt, so this core takes no more tasks
            }
            current = null;
            keeper.fatalError(attempt.toString(), crash);
            attempt.close();
        }
    }

    /**
     * Reports a task as failed that an earlier call of {@link #runNext} took but could neither finish nor report,
     * mostly for lack of memory.
     */
    private void failUnreported() {
        TaskBatch batch = holding;
        if (unreportedAttempt == null && (taken == TaskBatch.NONE || batch == null)) {
            return;
        }
        TaskFailure why =
                TaskFailure.of("the executor could not run the task, or report how it ended (expected: enough memory"
                        + " for both); give it more with --executor-memory, or --driver-memory on a local master");
        failUnreported(why);
        if (batch != null && taken != TaskBatch.NONE) {
            TaskEnd end = TaskEnd.ended(batch.tasks.task(taken), TaskOutcome.FAILED, why, TaskMetrics.NONE);
            synchronized (lock) {
                ends.add(end);
                if (!batch.begin(taken)) { // the task was recalled, and its end has been reported by the recall
                    ends.remove(ends.size() - 1);
                }
            }
            taken = TaskBatch.NONE;
            current = null;
        }
        handOver();
    }

    private void failUnreported(TaskFailure why) {
        TaskAttempt attempt = unreportedAttempt;
        if (attempt != null) {
            addEnd(TaskEnd.ended(attempt.taskId(), TaskOutcome.FAILED, why, TaskMetrics.NONE));
            reported = true;
            unreportedAttempt = null;
        }
    }

    private void run(TaskAttempt attempt) {
        TaskRuntime.enter(attempt);
        long collectionBefore = collectionAt(attempt.begunNanos());
        TaskResult value = TaskResult.NONE;
        Throwable failure = null;
        try {
            if (services.attached().hasJars()) {
                // Valid for the duration of the task; the core's thread restores the class loader afterwards.
                attempt.thread.setContextClassLoader(services.attached().classes());
            }
            value = attempt.batch.pipeline.run(attempt, attempt.batch.inputs.input(attempt.partition()));
            attempt.checkKilled();
        } catch (Throwable thrown) { // anything that user code throws, including Errors, is the outcome of the task
            failure = thrown;
        }
        long now = clocks.nanos();
        measure(attempt, now, collectionBefore);
        TaskEnd end = end(attempt, value, failure);
        TaskRuntime.enter(null); // the code below does not belong to any task
        ended = attempt.end();
        String killed = attempt.killReason();
        if (Thread.interrupted() || killed != null) { // clears the interrupt flag for the next task
            keeper.killedAttemptEnded(attempt);
        }
        if (!ended) {
            attempt.close();
            reported = true;
            retired = true; // the attempt was abandoned and reported, and another core has replaced this one
            return;
        }
        if (end.outcome() == TaskOutcome.SUCCEEDED && killed != null) {
            end = TaskEnd.ended(attempt.taskId(), TaskOutcome.KILLED, TaskFailure.of(killed), end.metrics());
        } else if (end.outcome() == TaskOutcome.SUCCEEDED) {
            attempt.publish();
        }
        attempt.close();
        current = null;
        reported = true; // set before the report, so that a failure below does not cause a second report
        add(end, now);
        if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
            handOver(); // reported at once, because the process may end
            keeper.fatalError(attempt.toString(), failure);
        }
    }

    private TaskEnd end(TaskAttempt attempt, TaskResult value, @Nullable Throwable failure) {
        try {
            attempt.complete(failure);
            attempt.checkKilled();
            List<AccumulatorUpdate> parts = TaskResults.parts(attempt);
            return TaskEnd.succeeded(attempt.taskId(), value, attempt.metrics(), parts);
        } catch (Throwable thrown) {
            return failed(attempt, thrown);
        }
    }

    private static TaskEnd failed(TaskAttempt attempt, Throwable thrown) {
        TaskMetrics metrics = attempt.metrics();
        long task = attempt.taskId();
        String reason = attempt.killReason();
        if (reason != null) {
            return TaskEnd.ended(task, TaskOutcome.KILLED, TaskFailure.of(reason), metrics);
        }
        if (thrown instanceof CorruptBlockException damaged) {
            // reported as a fetch failure, so that the block is computed again
            FetchFailure fetch =
                    new FetchFailure(StagePlan.RESULT, -1, Optional.empty(), "", String.valueOf(damaged.getMessage()));
            return TaskEnd.fetchFailed(task, fetch, TaskFailure.of(fetch.reason()), metrics);
        }
        if (thrown instanceof FetchFailedException missing) {
            FetchFailure fetch = new FetchFailure(
                    missing.shuffle(),
                    missing.map(),
                    missing.others(),
                    missing.executor(),
                    missing.host(),
                    String.valueOf(missing.getMessage()));
            return TaskEnd.fetchFailed(task, fetch, TaskFailure.of(fetch.reason()), metrics);
        }
        TaskFailure failure = TaskFailures.describe(thrown);
        return TaskEnd.ended(
                task, attempt.isCommitDenied() ? TaskOutcome.COMMIT_DENIED : TaskOutcome.FAILED, failure, metrics);
    }

    /**
     * Adds the end of a task to the ends that the driver has not received yet. Reports all these ends if no task is
     * left in the queue, if the ends are many, or if the last report was long ago.
     */
    private void add(TaskEnd end, long now) {
        int size;
        synchronized (lock) {
            ends.add(end);
            size = ends.size();
        }
        if (size >= ENDS_MAX || now - reportedNanos > ENDS_NANOS || !hasWork()) {
            reportedNanos = now;
            pending = false;
            handOver();
        } else {
            pending = true;
        }
    }

    private void measure(TaskAttempt attempt, long now, long collectionBefore) {
        long took = now - attempt.begunNanos();
        long cpu = took;
        if (took >= CPU_MEASURED_NANOS) {
            long read = clocks.cpuNanos();
            cpu = Math.max(0, Math.min(took, read - cpuNanos - uncountedNanos));
            cpuNanos = read;
            uncountedNanos = 0;
        } else {
            uncountedNanos += took;
        }
        long collection = took >= COLLECTION_MEASURED_NANOS ? collectionAt(now) - collectionBefore : 0;
        attempt.measured(took, cpu, Math.max(0, Math.min(took, collection)));
    }

    private long collectionAt(long now) {
        if (now - collectionReadNanos >= COLLECTION_MEASURED_NANOS) {
            collectionNanos = clocks.collectionNanos();
            collectionReadNanos = now;
        }
        return collectionNanos;
    }
}
