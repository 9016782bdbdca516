package dev.hearth.api.task;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The context of a running task attempt: its ids, properties, metrics and listeners. Valid until the attempt ends.
 * <p>Threads that a task starts have no current context; the task must pass its context to them.
 */
public interface TaskContext {
    /** The context of the task that the calling thread runs; throws {@code WRONG_THREAD} outside of tasks. */
    static TaskContext current() {
        return find().orElseThrow(() -> new HearthException(
                "WRONG_THREAD",
                "task: none runs on thread "
                        + Thread.currentThread().getName()
                        + " (expected: a call from inside a task); pass the context to threads that a task starts"));
    }

    /** The context of the task that the calling thread runs, if any. */
    static Optional<TaskContext> find() {
        return Optional.ofNullable(TaskRuntime.current());
    }

    int stage();

    /** The number of the stage attempt, from 0. */
    int stageAttempt();

    int partition();

    /** The number of partitions of the stage. */
    int partitions();

    /** The attempt number of this task: counts attempts at its partition within the stage attempt, from 0. */
    int attempt();

    /** The id of this attempt, unique in the application. */
    long taskId();

    /** The value of a local property of the job, as set by the thread that started the job; empty if not set. */
    Optional<String> localProperty(String key);

    /** All local properties of the job, as set by the thread that started the job. */
    Map<String, String> localProperties();

    /**
     * Whether the attempt was cancelled. A long loop that reads no elements should call this method and end if true.
     */
    boolean isInterrupted();

    /** Whether the attempt has ended, with success or not. */
    boolean isCompleted();

    /**
     * Adds a listener for the end of the attempt, with success or not. The listener added last runs first; an exception
     * of a listener fails the attempt.
     */
    void onCompletion(Consumer<TaskContext> listener);

    /** Adds a listener for the failure of the attempt, called before the listeners of {@link #onCompletion}. */
    void onFailure(Consumer<Throwable> listener);

    /** As {@link #onFailure(Consumer)}, with a listener that also takes this context. */
    void onFailure(BiConsumer<TaskContext, Throwable> listener);

    /**
     * Adds a listener that is called once, with the reason, if the attempt is interrupted or killed. It runs on another
     * thread than the task, so it can end the process or close the socket for which the task's thread waits. The
     * listener added last runs first. A listener added after the interrupt runs at once, on the calling thread.
     * Exceptions of listeners are logged.
     * <pre>{@code lines.foreachPartition(part -> {
     *     Process child = new ProcessBuilder("sort").start();
     *     TaskContext.current().onInterrupt((task, reason) -> child.destroy());
     *     child.waitFor();
     * });}</pre>
     */
    void onInterrupt(BiConsumer<TaskContext, String> listener);

    /**
     * Asks the driver whether this attempt may commit its output. At most one attempt per partition of a stage gets
     * true; if that attempt fails, another may get true. Output that attempts commit without this check may be
     * published twice.
     */
    boolean mayCommit();

    /** The number of cores that this attempt has, from the setting {@code hearth.task.cpus}. */
    int cpus();

    /**
     * The addresses that this attempt may use, by the names of their resources: as many as the settings {@code
     * hearth.task.resource.NAME.amount} say. Tasks with a fraction of a resource share an address with others.
     * <pre>{@code String gpu = TaskContext.current().resources().get("gpu").addresses().get(0);}</pre>
     */
    Map<String, ResourceInformation> resources();

    /** The current metrics of this attempt. */
    TaskMetrics metrics();

    /**
     * Adds to the input metrics of this attempt. For code that reads files or tables itself; the engine counts what its
     * own readers read. Call it on the thread of the task.
     */
    void countInput(long bytes, long records);

    /**
     * Adds to the output metrics of this attempt. For code that writes files or tables itself; the engine counts what
     * its own writers write. Call it on the thread of the task.
     */
    void countOutput(long bytes, long records);
}
