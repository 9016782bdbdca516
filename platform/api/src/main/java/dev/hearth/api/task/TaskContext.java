package dev.hearth.api.task;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The task that the calling thread runs: which it is, and what it may ask. Lives as long as the attempt.
 * <p>Threads that a task starts have none of it unless they are handed it.
 */
public interface TaskContext {
    /** The task of the calling thread; refused with {@code WRONG_THREAD} outside of tasks. */
    static TaskContext current() {
        return find().orElseThrow(
                        () -> new HearthException(
                                "WRONG_THREAD",
                                "task: none runs on thread "
                                        + Thread.currentThread().getName()
                                        + " (expected: a call from inside a task); hand the context over to threads that a task starts"));
    }

    /** The task of the calling thread, if it runs one. */
    static Optional<TaskContext> find() {
        return Optional.ofNullable(TaskRuntime.current());
    }

    int stage();

    /** Which attempt at the whole stage this belongs to, from 0. */
    int stageAttempt();

    int partition();

    /** How many partitions the stage has. */
    int partitions();

    /** Which attempt at this partition within its stage attempt this is, from 0. */
    int attempt();

    /** A number that no other attempt of this application has. */
    long taskId();

    /** The local property of the thread that started the job, as it was then. */
    Optional<String> localProperty(String key);

    /** All local properties that the thread had which started the job, as they were then. */
    Map<String, String> localProperties();

    /** Whether the attempt was told to end. Long loops over no elements ask it and return. */
    boolean isInterrupted();

    /** Whether the attempt has ended, however it did. */
    boolean isCompleted();

    /** Called once when the attempt has ended, however it did; later additions first. What it throws fails the attempt. */
    void onCompletion(Consumer<TaskContext> listener);

    /** Called once when the attempt fails, before those of {@link #onCompletion}. */
    void onFailure(Consumer<Throwable> listener);

    /** As the other one; the listener is given the task as well. */
    void onFailure(BiConsumer<TaskContext, Throwable> listener);

    /**
     * Called once when the attempt is told to end, with the reason: on a thread of its own, while the task's thread may be stuck, so
     * that it can close what that thread waits for. Later additions first; at once, on the calling thread, where the attempt was
     * told before. What it throws is logged.
     * <pre>{@code task.onInterrupt((ended, reason) -> socket.close());}</pre>
     */
    void onInterrupt(BiConsumer<TaskContext, String> listener);

    /**
     * Asks the driver whether this attempt may publish its output. True for one attempt at most per partition of a stage,
     * until that one has failed; whoever publishes without asking may publish twice.
     */
    boolean mayCommit();

    /** The metrics of this attempt as they are now. */
    TaskMetrics metrics();
}
