package dev.hearth.api.task;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The context of a running task attempt: its ids, properties, metrics and listeners. Valid as long as the attempt.
 * <p>Threads that a task starts have no context of their own; the task must pass it to them.
 */
public interface TaskContext {
    /** The task of the calling thread; throws {@code WRONG_THREAD} outside of tasks. */
    static TaskContext current() {
        return find().orElseThrow(() -> new HearthException(
                "WRONG_THREAD",
                "task: none runs on thread "
                        + Thread.currentThread().getName()
                        + " (expected: a call from inside a task); pass the context to threads that a task starts"));
    }

    /** The task of the calling thread, if it runs one. */
    static Optional<TaskContext> find() {
        return Optional.ofNullable(TaskRuntime.current());
    }

    int stage();

    /** The number of the stage attempt, from 0. */
    int stageAttempt();

    int partition();

    /** The number of partitions of the stage. */
    int partitions();

    /** The number of this attempt at the partition within its stage attempt, from 0. */
    int attempt();

    /** The id of this attempt, unique in the application. */
    long taskId();

    /** A local property of the thread that started the job, as of that time. */
    Optional<String> localProperty(String key);

    /** All local properties of the thread that started the job, as of that time. */
    Map<String, String> localProperties();

    /** Whether the attempt was cancelled. Long loops that read no elements should check it and return. */
    boolean isInterrupted();

    /** Whether the attempt has ended, with success or not. */
    boolean isCompleted();

    /**
     * Adds a listener for the end of the attempt, with success or not. Listeners run last in, first out; an exception
     * fails the attempt.
     */
    void onCompletion(Consumer<TaskContext> listener);

    /** Adds a listener for the failure of the attempt, called before those of {@link #onCompletion}. */
    void onFailure(Consumer<Throwable> listener);

    /** As {@link #onFailure(Consumer)}, with a listener that also takes the task. */
    void onFailure(BiConsumer<TaskContext, Throwable> listener);

    /**
     * Called once when the attempt is interrupted or killed, with the reason. The listener runs on a thread of its own, so it can
     * close a resource that the task's thread is stuck on. Later additions run first. A listener that is added after the interrupt
     * runs at once, on the calling thread. Exceptions of listeners are logged.
     * <pre>{@code lines.foreachPartition(part -> {
     *     Process child = new ProcessBuilder("sort").start();
     *     TaskContext.current().onInterrupt((task, reason) -> child.destroy());
     *     child.waitFor();
     * });}</pre>
     */
    void onInterrupt(BiConsumer<TaskContext, String> listener);

    /**
     * Asks the driver whether this attempt may commit its output. At most one attempt per partition of a stage gets
     * true, until that attempt has failed. Output committed without this check may be published twice.
     */
    boolean mayCommit();

    /** The current metrics of this attempt. */
    TaskMetrics metrics();
}
