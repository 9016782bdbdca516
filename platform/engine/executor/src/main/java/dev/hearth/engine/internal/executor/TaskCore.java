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
 * One core of an executor: takes tasks from the queue, runs them one by one on whichever thread calls {@link #runNext}, and
 * gathers their ends. Owned by that thread; {@code ends} is guarded by its own lock, for the watch looks after it too.
 */
public final class TaskCore {
    private static final int ENDS_MAX = 64; // gathered at most before they are handed over
    private static final long ENDS_NANOS = 200_000; // how long ends are gathered while there is more to do
    /** Attempts shorter than this are taken to have used their core all the time: asking would cost as much as they do. */
    private static final long CPU_MEASURED_NANOS = 100_000;

    /** Collections are looked for this often at most, and only by attempts that take longer. */
    private static final long COLLECTION_MEASURED_NANOS = 1_000_000;

    private final TaskServices services;
    private final TaskClocks clocks;
    private final Queue<TaskBatch> queue;
    private final Consumer<List<TaskEnd>> report;
    private final CoreListener keeper;
    private final Object lock = new Object();
    private List<TaskEnd> ends = new ArrayList<>(); // guarded by lock
    private long cpuNanos;
    private long uncountedNanos; // of short attempts since the clock was read
    private long collectionNanos;
    private long collectionReadNanos;
    private long reportedNanos;
    private boolean gathered; // whether ends may be there: others can hand them over unseen
    private boolean ended; // of the attempt under way: it has, by itself
    private boolean reported; // of the attempt under way: its end is among the gathered, or somebody else's affair
    private int taken = TaskBatch.NONE; // of the held batch: a task that has neither begun nor ended yet
    private @Nullable TaskAttempt lost; // it has ended, and nobody was told
    private volatile @Nullable TaskBatch holding; // set before a task is taken from it
    private volatile @Nullable TaskAttempt current;
    private volatile boolean retired;

    TaskCore(TaskServices services, Queue<TaskBatch> queue, Consumer<List<TaskEnd>> report, CoreListener keeper) {
        this.services = services;
        this.clocks = services.clocks();
        this.queue = queue;
        this.report = report;
        this.keeper = keeper;
    }

    /** Takes a task and runs it; false when there is none: then all ends have been handed over. */
    public boolean runNext() {
        failLost();
        for (TaskBatch batch = queue.peek(); batch != null && !retired; batch = queue.peek()) {
            if (holding != batch) {
                holding = batch;
            }
            int index = batch.take();
            taken = index;
            if (gathered) {
                keeper.gathering();
            }
            if (index == TaskBatch.NONE) {
                queue.remove(batch);
                continue;
            }
            TaskAttempt attempt = batch.tasks.plan().barrier()
                    ? new BarrierAttempt(services, batch, index, clocks.nanos())
                    : new TaskAttempt(services, batch, index, clocks.nanos());
            current = attempt; // before it begins, so that from then on a kill finds it
            if (!retired && batch.begin(index)) { // whoever retires a core looks for its attempt behind that
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

    /** The calling thread was idle: what it did meanwhile is no task's. */
    void awoke() {
        cpuNanos = clocks.cpuNanos();
        uncountedNanos = 0;
        reportedNanos = clocks.nanos();
    }

    /** Whether this core takes no task any more: another is in its place, or the executor is stopped. */
    public boolean isRetired() {
        return retired;
    }

    /** Something went wrong beside any task; what was taken is told of by the next call of {@link #runNext}. */
    void failed(Throwable failure) {
        keeper.outOfControl("a core of the executor", failure);
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

    /** Hands over what has been gathered, and tells whether there was anything; any thread may. */
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
        } catch (Throwable failure) { // an Error too; what is told twice is known by its task
            synchronized (lock) {
                List<TaskEnd> untold = new ArrayList<>(taken);
                untold.addAll(ends);
                ends = untold;
            }
            throw failure;
        }
        return true;
    }

    /** Adds the end of an attempt that did not tell it itself. */
    void addEnd(TaskEnd end) {
        synchronized (lock) {
            ends.add(end);
        }
    }

    /** Whatever goes wrong with us, out of memory above all, the attempt is reported. */
    private void runSafely(TaskAttempt attempt) {
        ended = false;
        reported = false;
        try {
            run(attempt);
        } catch (Throwable crash) {
            if (!reported && (ended || attempt.end())) {
                lost = attempt;
                failLost(TaskFailures.describe(crash));
                handOver();
            } else if (!reported) {
                retired = true; // given up before
            }
            current = null;
            keeper.outOfControl(attempt.toString(), crash);
            attempt.close();
        }
    }

    /** Fails the task that an earlier call took and could not see to its end, for want of memory above all. */
    private void failLost() {
        TaskBatch batch = holding;
        if (lost == null && (taken == TaskBatch.NONE || batch == null)) {
            return;
        }
        TaskFailure why =
                TaskFailure.of("the executor could not run the task, or tell how it ended (expected: memory to"
                        + " do so); give it more with --executor-memory, or --driver-memory on a local master");
        failLost(why);
        if (batch != null && taken != TaskBatch.NONE) {
            TaskEnd end = TaskEnd.ended(batch.tasks.task(taken), TaskOutcome.FAILED, why, TaskMetrics.NONE);
            synchronized (lock) {
                ends.add(end);
                if (!batch.begin(taken)) { // it was recalled, and so reported
                    ends.remove(ends.size() - 1);
                }
            }
            taken = TaskBatch.NONE;
            current = null;
        }
        handOver();
    }

    private void failLost(TaskFailure why) {
        TaskAttempt attempt = lost;
        if (attempt != null) {
            addEnd(TaskEnd.ended(attempt.taskId(), TaskOutcome.FAILED, why, TaskMetrics.NONE));
            reported = true;
            lost = null;
        }
    }

    private void run(TaskAttempt attempt) {
        TaskRuntime.enter(attempt);
        long collectionBefore = collectionAt(attempt.begunNanos());
        TaskResult value = TaskResult.NONE;
        Throwable failure = null;
        try {
            if (services.attached().hasJars()) {
                attempt.thread.setContextClassLoader(services.attached().classes()); // until the task ends
            }
            value = attempt.batch.pipeline.run(attempt, attempt.batch.inputs.input(attempt.partition()));
            attempt.checkKilled();
        } catch (Throwable thrown) { // whatever the user's code throws, Errors too, is the outcome of the task
            failure = thrown;
        }
        long now = clocks.nanos();
        measure(attempt, now, collectionBefore);
        TaskEnd end = end(attempt, value, failure);
        TaskRuntime.enter(null); // what follows is no task's
        ended = attempt.end();
        String killed = attempt.killReason();
        if (Thread.interrupted() || killed != null) { // clears the thread for its next task
            keeper.ended(attempt);
        }
        if (!ended) {
            attempt.close();
            reported = true;
            retired = true; // given up and reported before; another core is in this one's place
            return;
        }
        if (end.outcome() == TaskOutcome.SUCCEEDED && killed != null) {
            end = TaskEnd.ended(attempt.taskId(), TaskOutcome.KILLED, TaskFailure.of(killed), end.metrics());
        } else if (end.outcome() == TaskOutcome.SUCCEEDED) {
            attempt.publish();
        }
        attempt.close();
        current = null;
        reported = true; // whatever becomes of it now: once is enough
        add(end, now);
        if (failure instanceof VirtualMachineError && !(failure instanceof StackOverflowError)) {
            handOver(); // the process may end at once
            keeper.outOfControl(attempt.toString(), failure);
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
        if (thrown instanceof CorruptBlockException damaged) { // the stage is tried again, and computes it
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

    /** Gathers an end; hands over at once when nothing is left to do, else when enough have come together or time has passed. */
    private void add(TaskEnd end, long now) {
        int size;
        synchronized (lock) {
            ends.add(end);
            size = ends.size();
        }
        if (size >= ENDS_MAX || now - reportedNanos > ENDS_NANOS || !hasWork()) {
            reportedNanos = now;
            gathered = false;
            handOver();
        } else {
            gathered = true;
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
