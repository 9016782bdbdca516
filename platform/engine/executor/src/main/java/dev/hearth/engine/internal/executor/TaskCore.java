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
 * batches their ends. Owned by that thread; {@code ends} is guarded by its own lock, because other threads may report
 * the ends too.
 */
public final class TaskCore {
    private static final int ENDS_MAX = 64; // most ends in one report
    private static final long ENDS_NANOS = 200_000; // longest delay of an end while more tasks wait
    /**
     * For shorter attempts the run time counts as CPU time, because reading the CPU clock would cost as much as the
     * attempt.
     */
    private static final long CPU_MEASURED_NANOS = 100_000;

    /** Shortest time between readings of the garbage-collection clock; shorter attempts never cause one. */
    private static final long COLLECTION_MEASURED_NANOS = 1_000_000;

    private final TaskServices services;
    private final TaskClocks clocks;
    private final Queue<TaskBatch> queue;
    private final Consumer<List<TaskEnd>> report;
    private final CoreListener keeper;
    private final Object lock = new Object();
    private List<TaskEnd> ends = new ArrayList<>(); // guarded by lock
    private long cpuNanos;
    private long uncountedNanos; // run time of short attempts since the clock was read
    private long collectionNanos;
    private long collectionReadNanos;
    private long reportedNanos;
    private boolean pending; // whether ends may be pending; another thread may have reported them
    private boolean ended; // whether the current attempt has ended by itself
    private boolean reported; // whether this core no longer has to batch the current attempt's end
    private int taken = TaskBatch.NONE; // index in the batch of a task that has neither begun nor ended
    private @Nullable TaskAttempt unreportedAttempt; // attempt that has ended, but whose end is not reported
    private volatile @Nullable TaskBatch holding; // batch in use, set before taking a task from it
    private volatile @Nullable TaskAttempt current;
    private volatile boolean retired;

    TaskCore(TaskServices services, Queue<TaskBatch> queue, Consumer<List<TaskEnd>> report, CoreListener keeper) {
        this.services = services;
        this.clocks = services.clocks();
        this.queue = queue;
        this.report = report;
        this.keeper = keeper;
    }

    /** Takes a task and runs it; false if there is none. In that case all ends have been reported. */
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
            current = attempt; // before it begins, so that a kill finds it from then on
            if (!retired && batch.begin(index)) { // a thread that retires this core then reads `current`
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

    /** Resets the clocks after the thread was idle. */
    void resumed() {
        cpuNanos = clocks.cpuNanos();
        uncountedNanos = 0;
        reportedNanos = clocks.nanos();
    }

    /** Whether this core takes no more tasks, because it has been replaced or the executor has stopped. */
    public boolean isRetired() {
        return retired;
    }

    /** Reports a failure outside any task. The next call of {@link #runNext} fails the task that was taken. */
    void failed(Throwable failure) {
        keeper.fatalError("a core of the executor", failure);
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

    /** Reports the batched ends; false if there were none. Any thread may call. */
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
        } catch (Throwable failure) { // an Error too; the receiver ignores duplicates
            synchronized (lock) {
                List<TaskEnd> untold = new ArrayList<>(taken);
                untold.addAll(ends);
                ends = untold;
            }
            throw failure;
        }
        return true;
    }

    /** Adds the end of an attempt that cannot report itself. */
    void addEnd(TaskEnd end) {
        synchronized (lock) {
            ends.add(end);
        }
    }

    /** Runs an attempt and reports its end, even after a failure of the engine such as out of memory. */
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
                retired = true; // another thread has abandoned the attempt
            }
            current = null;
            keeper.fatalError(attempt.toString(), crash);
            attempt.close();
        }
    }

    /** Fails a task that an earlier call took but could neither finish nor report, mostly for lack of memory. */
    private void failUnreported() {
        TaskBatch batch = holding;
        if (unreportedAttempt == null && (taken == TaskBatch.NONE || batch == null)) {
            return;
        }
        TaskFailure why =
                TaskFailure.of("the executor could not run the task, or report how it ended (expected: memory to"
                        + " do so); give it more with --executor-memory, or --driver-memory on a local master");
        failUnreported(why);
        if (batch != null && taken != TaskBatch.NONE) {
            TaskEnd end = TaskEnd.ended(batch.tasks.task(taken), TaskOutcome.FAILED, why, TaskMetrics.NONE);
            synchronized (lock) {
                ends.add(end);
                if (!batch.begin(taken)) { // the task was recalled, and so is reported already
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
                // for the duration of the task
                attempt.thread.setContextClassLoader(services.attached().classes());
            }
            value = attempt.batch.pipeline.run(attempt, attempt.batch.inputs.input(attempt.partition()));
            attempt.checkKilled();
        } catch (Throwable thrown) { // anything the user's code throws, Errors too, is the outcome of the task
            failure = thrown;
        }
        long now = clocks.nanos();
        measure(attempt, now, collectionBefore);
        TaskEnd end = end(attempt, value, failure);
        TaskRuntime.enter(null); // the code below runs outside any task
        ended = attempt.end();
        String killed = attempt.killReason();
        if (Thread.interrupted() || killed != null) { // clears the interrupt for the next task
            keeper.killedAttemptEnded(attempt);
        }
        if (!ended) {
            attempt.close();
            reported = true;
            retired = true; // abandoned and reported; another core has replaced this one
            return;
        }
        if (end.outcome() == TaskOutcome.SUCCEEDED && killed != null) {
            end = TaskEnd.ended(attempt.taskId(), TaskOutcome.KILLED, TaskFailure.of(killed), end.metrics());
        } else if (end.outcome() == TaskOutcome.SUCCEEDED) {
            attempt.publish();
        }
        attempt.close();
        current = null;
        reported = true; // set first, so that a failure below causes no second report
        add(end, now);
        if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
            handOver(); // the process may end at once
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
        if (thrown instanceof CorruptBlockException damaged) { // a fetch failure, so that the block is computed again
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

    /** Batches an end. Reports the batch if no task is left, if it is full, or if enough time has passed. */
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
