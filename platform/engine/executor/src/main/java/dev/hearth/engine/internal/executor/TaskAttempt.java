package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import dev.hearth.api.task.ResourceInformation;
import dev.hearth.api.task.TaskContext;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.resource.TaskProfile;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One task attempt: the runtime that the task's code uses, its kill state and its resources. Owned by the thread that
 * runs it; other threads may only kill or abandon it.
 * <p>States: RUNNING, then INTERRUPTING while another thread interrupts, then ENDED or ABANDONED. One atomic step
 * decides between ENDED and ABANDONED.
 */
class TaskAttempt implements TaskRuntime {
    private static final Logger LOG = LoggerFactory.getLogger(TaskAttempt.class);
    private static final int RUNNING = 0;
    private static final int INTERRUPTING = 1;
    private static final int ENDED = 2;
    private static final int ABANDONED = 3;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(TaskAttempt.class, "state", int.class);
        } catch (ReflectiveOperationException impossible) { // the field exists
            throw new ExceptionInInitializerError(impossible);
        }
    }

    final TaskServices services;
    final TaskBatch batch;
    final int index;
    final Thread thread;

    private final long begunNanos;
    private long recordsRead;
    private long recordsWritten;
    private long inputBytes; // bytes read from files and cached blocks
    private long outputBytes;
    private long deserializeNanos;
    private long serializeNanos;
    private long resultBytes;
    private long shuffleReadBytes;
    private long shuffleReadRecords;
    private long shuffleWriteBytes;
    private long shuffleWriteRecords;
    private boolean commitDenied;
    private long runNanos; // run time, set at the end of the attempt
    private long cpuNanos;
    private long collectionNanos;
    private boolean completed;
    private @Nullable List<Consumer<TaskContext>> completionListeners;
    private @Nullable List<Consumer<Throwable>> failureListeners;
    private @Nullable Map<Long, Object> accumulations;
    private @Nullable TaskMemory memory; // created lazily, as few tasks need it
    private @Nullable List<Runnable> releases;
    private @Nullable List<TaskOutput> outputs; // outputs to publish once the attempt has succeeded
    private @Nullable Throwable readFailure; // the first one
    private volatile @Nullable InterruptListeners interruptListeners; // null until the application registers a listener
    private volatile @Nullable String killReason;
    // answer for which the attempt currently waits, so that a kill can end the wait
    private volatile @Nullable CompletableFuture<?> awaited;

    @SuppressWarnings("UnusedVariable") // accessed through its VarHandle
    private volatile int state;

    TaskAttempt(TaskServices services, TaskBatch batch, int index, long begunNanos) {
        this.services = services;
        this.batch = batch;
        this.index = index;
        this.thread = Thread.currentThread();
        this.begunNanos = begunNanos;
    }

    /** Throws {@link TaskKilled} if the attempt has been killed. Fast enough to be called for every element. */
    final void checkKilled() {
        String reason = killReason;
        if (reason != null) {
            throw new TaskKilled(reason);
        }
    }

    /**
     * Records that reading the attempt's input has failed. Returns the first such failure, which becomes the outcome of
     * the attempt.
     */
    final Throwable readFailed(Throwable failure) {
        Throwable first = readFailure == null ? failure : readFailure;
        readFailure = first;
        return first;
    }

    /** Returns the first read failure, even if user code has caught its exception. */
    final Optional<Throwable> readFailure() {
        return Optional.ofNullable(readFailure);
    }

    final @Nullable String killReason() {
        return killReason;
    }

    /**
     * Kills the attempt, unless it has already ended. After several kills the first reason is reported. Any thread may
     * call.
     */
    final void kill(boolean interrupt, String reason) {
        if (killReason == null) {
            killReason = reason;
        }
        CompletableFuture<?> waiting = awaited;
        if (waiting != null) {
            waiting.completeExceptionally(new TaskKilled(reason));
        }
        if (interrupt && STATE.compareAndSet(this, RUNNING, INTERRUPTING)) {
            thread.interrupt();
            STATE.setVolatile(this, RUNNING);
        }
    }

    /**
     * If the attempt has been killed, passes to {@code threads} an action that calls its {@link InterruptListeners}.
     * Does nothing if the application has registered none.
     */
    final void callInterruptListeners(Consumer<Runnable> threads) {
        InterruptListeners listeners = interruptListeners;
        String reason = killReason;
        if (listeners != null && reason != null) {
            threads.accept(() -> listeners.call(this, reason));
        }
    }

    /**
     * Ends the attempt; returns false if another thread has already abandoned it and reported its end. A later kill
     * does not interrupt the thread.
     */
    final boolean end() {
        while (!STATE.compareAndSet(this, RUNNING, ENDED)) {
            if ((int) STATE.getVolatile(this) == ABANDONED) {
                return false;
            }
            Thread.onSpinWait(); // waits while another thread interrupts this thread
        }
        return true;
    }

    /**
     * Marks the attempt as abandoned, so that another thread reports its end. Called by that other thread. Returns
     * false if the attempt has already ended.
     */
    final boolean abandon() {
        while (!STATE.compareAndSet(this, RUNNING, ABANDONED)) {
            if ((int) STATE.getVolatile(this) != INTERRUPTING) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    final boolean isRunning() {
        int now = (int) STATE.getVolatile(this);
        return now == RUNNING || now == INTERRUPTING;
    }

    final Pipeline pipeline() {
        return batch.tasks.plan().pipeline();
    }

    /**
     * Calls the completion or failure listeners, failure listeners first, each kind in reverse order of registration.
     * Throws their first failure after all were called.
     */
    final void complete(@Nullable Throwable failure) {
        completed = true;
        Throwable first = failure;
        List<Consumer<Throwable>> failed = failureListeners;
        if (failure != null && failed != null) {
            while (!failed.isEmpty()) { // a loop, because a listener may add listeners
                first = call(failed.remove(failed.size() - 1), failure, first);
            }
        }
        List<Consumer<TaskContext>> ended = completionListeners;
        if (ended != null) {
            while (!ended.isEmpty()) {
                first = call(ended.remove(ended.size() - 1), this, first);
            }
        }
        if (first != null) {
            throw SneakyThrow.unchecked(first);
        }
    }

    private static <T> @Nullable Throwable call(Consumer<T> listener, T argument, @Nullable Throwable first) {
        try {
            listener.accept(argument);
            return first;
        } catch (Throwable thrown) { // thrown by user code; the remaining listeners still run
            if (first == null) {
                return thrown;
            }
            if (first != thrown) {
                first.addSuppressed(thrown);
            }
            return first;
        }
    }

    final void measured(long run, long cpu, long collection) {
        runNanos = Math.max(0, run - deserializeNanos - serializeNanos);
        cpuNanos = cpu;
        collectionNanos = collection;
    }

    /** Counts one record as read, before user code receives it. Called for every element. */
    final void countRead() {
        recordsRead++;
    }

    /** Counts {@code records} records of the task's input, read from {@code bytes} bytes of files or cached blocks. */
    final void countRead(long records, long bytes) {
        recordsRead += records;
        inputBytes += bytes;
    }

    /**
     * Returns the number of records that this attempt has read so far. The number may be slightly out of date on other
     * threads than the attempt's own.
     */
    final long recordsRead() {
        return recordsRead;
    }

    /** Counts one record written to a file. Called for every element. */
    final void countWritten() {
        recordsWritten++;
    }

    final void countOutput(long bytes) {
        outputBytes += bytes;
    }

    final void countDeserialize(long nanos) {
        deserializeNanos += nanos;
    }

    final void countResult(long bytes, long nanosToSerialize) {
        resultBytes = bytes;
        serializeNanos += nanosToSerialize;
    }

    final void countMapOutput(long bytes, long records) {
        shuffleWriteBytes += bytes;
        shuffleWriteRecords += records;
        recordsWritten += records;
    }

    /** Whether the driver has refused to let this attempt commit its output. */
    final boolean isCommitDenied() {
        return commitDenied;
    }

    /** Counts the bytes and records of a shuffle segment that was read completely. */
    final void shuffleRead(ShuffleSegment block) {
        shuffleReadBytes += block.bytes();
        shuffleReadRecords += block.records();
        recordsRead += block.records();
    }

    final long begunNanos() {
        return begunNanos;
    }

    /** Returns the accumulator updates of this attempt, by accumulator id; empty if there are none. */
    final Map<Long, Object> accumulations() {
        return accumulations == null ? Map.of() : accumulations;
    }

    /**
     * Returns the memory account of this attempt, through which the code of the task reserves execution memory. Only
     * the attempt's thread may call, while the attempt runs.
     */
    final TaskMemory memory() {
        TaskMemory open = memory;
        if (open == null) {
            open = services.data().memory().open(taskId(), this::checkKilled);
            memory = open;
        }
        return open;
    }

    /**
     * Registers an action that runs when the attempt ends for any reason. Actions run in reverse order of registration,
     * and must be idempotent.
     */
    final void atEnd(Runnable release) {
        if (releases == null) {
            releases = new ArrayList<>();
        }
        releases.add(release);
    }

    /** Discards unpublished output, runs the registered actions, and frees the memory. Never throws. */
    final void close() {
        List<TaskOutput> unpublished = outputs;
        while (unpublished != null && !unpublished.isEmpty()) {
            release(unpublished.remove(0)::discard);
        }
        List<Runnable> left = releases;
        while (left != null && !left.isEmpty()) {
            release(left.remove(left.size() - 1));
        }
        TaskMemory account = memory;
        if (account != null) {
            long leaked = account.close();
            if (leaked != 0) {
                LOG.error(
                        "{}: {} bytes of memory were not released by the code of the task (expected: 0 bytes); they"
                                + " are released now",
                        this,
                        leaked);
            }
        }
    }

    private void release(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) { // the remaining resources are still released
            LOG.error("{}: a resource could not be released", this, failure);
        }
    }

    /** Registers {@code output}, which is published if the attempt succeeds and discarded if it fails. */
    final void publishOnSuccess(TaskOutput output) {
        if (outputs == null) {
            outputs = new ArrayList<>();
        }
        outputs.add(output);
    }

    /** Publishes the registered outputs of this attempt, so that other tasks can read them. */
    final void publish() {
        List<TaskOutput> written = outputs;
        while (written != null && !written.isEmpty()) {
            written.remove(0).publish();
        }
    }

    /** Waits for an answer from another process. A kill ends the wait even if it does not interrupt the thread. */
    final <T> T await(CompletionStage<T> answer, String subject) {
        CompletableFuture<T> arriving = new CompletableFuture<>();
        answer.whenComplete((value, failure) -> {
            if (failure == null) {
                arriving.complete(value);
            } else {
                arriving.completeExceptionally(failure);
            }
        });
        // assigned before checkKilled, because a kill sets the reason first and then reads this field
        awaited = arriving;
        try {
            checkKilled();
            services.clocks().waiting(arriving);
            return arriving.get();
        } catch (InterruptedException interrupted) {
            checkKilled();
            Thread.currentThread().interrupt();
            throw ErrorCode.APPLICATION_KILLED.failure(subject + ": the waiting thread was interrupted", interrupted);
        } catch (ExecutionException failure) {
            checkKilled();
            HearthException inner = Failures.asHearth(failure, ErrorCode.INTERNAL, subject);
            throw new HearthException(inner.code(), String.valueOf(inner.getMessage()), inner);
        } finally {
            awaited = null;
        }
    }

    @Override
    public int stage() {
        return batch.tasks.stage();
    }

    @Override
    public int stageAttempt() {
        return batch.tasks.stageAttempt();
    }

    @Override
    public int partition() {
        return batch.tasks.partition(index);
    }

    @Override
    public int partitions() {
        return batch.tasks.plan().partitions();
    }

    @Override
    public int attempt() {
        return batch.tasks.attempt(index);
    }

    @Override
    public long taskId() {
        return batch.tasks.task(index);
    }

    @Override
    public Optional<String> localProperty(String key) {
        return Optional.ofNullable(pipeline().properties().get(key));
    }

    @Override
    public Map<String, String> localProperties() {
        return Collections.unmodifiableMap(pipeline().properties());
    }

    @Override
    public boolean isInterrupted() {
        return killReason != null;
    }

    @Override
    public boolean isCompleted() {
        return completed;
    }

    @Override
    public void onCompletion(Consumer<TaskContext> listener) {
        if (completionListeners == null) {
            completionListeners = new ArrayList<>();
        }
        completionListeners.add(listener);
    }

    @Override
    public void onFailure(Consumer<Throwable> listener) {
        if (failureListeners == null) {
            failureListeners = new ArrayList<>();
        }
        failureListeners.add(listener);
    }

    @Override
    public void onFailure(BiConsumer<TaskContext, Throwable> listener) {
        onFailure(failure -> listener.accept(this, failure));
    }

    @Override
    public void onInterrupt(BiConsumer<TaskContext, String> listener) {
        InterruptListeners listeners = interruptListeners;
        if (listeners == null) {
            listeners = new InterruptListeners();
            interruptListeners = listeners;
        }
        listeners.add(listener);
        callInterruptListeners(Runnable::run); // calls the new listener too if the task has already been interrupted
    }

    @Override
    public boolean mayCommit() {
        checkKilled();
        boolean may = await(
                services.driver().mayCommit(stage(), stageAttempt(), partition(), attempt()),
                "permission to commit the output of partition " + partition());
        commitDenied = !may;
        return may;
    }

    @Override
    public int cpus() {
        TaskProfile profile = batch.tasks.plan().profile();
        return profile.isDefault() ? services.cpusPerTask() : profile.needs().cpus();
    }

    @Override
    public Map<String, ResourceInformation> resources() {
        return batch.tasks.resources(index);
    }

    @Override
    public TaskMetrics metrics() {
        TaskMemory account = memory;
        return new TaskMetrics(
                completed ? runNanos : services.clocks().nanos() - begunNanos - deserializeNanos,
                cpuNanos,
                deserializeNanos,
                serializeNanos,
                collectionNanos,
                resultBytes,
                recordsRead,
                recordsWritten,
                shuffleReadBytes,
                shuffleReadRecords,
                shuffleWriteBytes,
                shuffleWriteRecords,
                account == null ? 0 : account.memorySpilled(),
                account == null ? 0 : account.diskSpilled(),
                account == null ? 0 : account.peak(),
                inputBytes,
                outputBytes);
    }

    @Override
    @SuppressWarnings("unchecked") // each accumulator id is used with one type
    public <S> S accumulation(long id, Supplier<S> fresh) {
        if (accumulations == null) {
            accumulations = new LinkedHashMap<>();
        }
        return (S) accumulations.computeIfAbsent(id, missing -> (Object) fresh.get());
    }

    @Override
    @SuppressWarnings("unchecked") // a deserialised copy has the same class as the original
    public <T> T copy(T value) {
        return services.objects().unchangeable().isValue(value)
                ? value
                : (T) services.objects().read(services.objects().write(value, "zero value"), "zero value");
    }

    @Override
    public Object broadcast(long id) {
        return services.broadcasts().value(id, AttemptReader.of(this));
    }

    @Override
    public void countInput(long bytes, long records) {
        requireCounts("countInput", bytes, records);
        countRead(records, bytes);
    }

    @Override
    public void countOutput(long bytes, long records) {
        requireCounts("countOutput", bytes, records);
        outputBytes += bytes;
        recordsWritten += records;
    }

    private static void requireCounts(String operation, long bytes, long records) {
        if (bytes < 0 || records < 0) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    operation + ": " + bytes + " bytes, " + records + " records (expected: 0 or more of each)");
        }
    }

    @Override
    public InputStream open(String file) throws IOException {
        ApplicationStores stores = services.data().stores();
        FileName name = FileName.parse(file);
        return stores.of(name).read(name, 0);
    }

    @Override
    public Path attached(String name) {
        return services.attached().path(name);
    }

    @Override
    public String toString() {
        return "task " + taskId() + " (partition " + partition() + ", attempt " + attempt() + " of stage " + stage()
                + "." + stageAttempt() + ")";
    }
}
