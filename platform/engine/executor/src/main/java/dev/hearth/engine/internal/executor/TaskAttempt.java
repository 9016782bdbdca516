package dev.hearth.engine.internal.executor;

import dev.hearth.api.HearthException;
import dev.hearth.api.launch.TaskRuntime;
import dev.hearth.api.task.TaskContext;
import dev.hearth.api.task.TaskMetrics;
import dev.hearth.engine.internal.memory.TaskMemory;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.shuffle.ShuffleSegment;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt at one task as its code sees it. Owned by the thread that runs it; other threads only kill or abandon it, and
 * of the attempt's life they see RUNNING, INTERRUPTING (for a moment), then ENDED or ABANDONED, decided by one atomic step.
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
        } catch (ReflectiveOperationException impossible) { // the field stands below
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
    private long inputBytes; // of files and cached blocks
    private long outputBytes;
    private long deserializeNanos;
    private long serializeNanos;
    private long resultBytes;
    private long shuffleReadBytes;
    private long shuffleReadRecords;
    private long shuffleWriteBytes;
    private long shuffleWriteRecords;
    private boolean commitDenied;
    private long runNanos; // once it has ended
    private long cpuNanos;
    private long collectionNanos;
    private boolean completed;
    private @Nullable List<Consumer<TaskContext>> completionListeners;
    private @Nullable List<Consumer<Throwable>> failureListeners;
    private @Nullable Map<Long, Object> accumulations;
    private @Nullable TaskMemory memory; // taken by few: made for those
    private @Nullable List<Runnable> releases;
    private @Nullable List<TaskOutput> outputs; // published once the attempt has succeeded
    private @Nullable Throwable broken;
    private volatile @Nullable String killReason;
    private volatile @Nullable CompletableFuture<?> awaited; // while the attempt waits for an answer

    @SuppressWarnings("UnusedVariable") // by its handle
    private volatile int state;

    TaskAttempt(TaskServices services, TaskBatch batch, int index, long begunNanos) {
        this.services = services;
        this.batch = batch;
        this.index = index;
        this.thread = Thread.currentThread();
        this.begunNanos = begunNanos;
    }

    /** Unwinds the attempt when it was told to end. Cheap enough for every element. */
    final void checkKilled() {
        String reason = killReason;
        if (reason != null) {
            throw new TaskKilled(reason);
        }
    }

    /** Notes that what the attempt reads failed; returns the first that did, which is how the attempt ends. */
    final Throwable broken(Throwable failure) {
        Throwable first = broken == null ? failure : broken;
        broken = first;
        return first;
    }

    /** How what the attempt reads failed, if it did, whatever the program's code made of it. */
    final Optional<Throwable> broken() {
        return Optional.ofNullable(broken);
    }

    final @Nullable String killReason() {
        return killReason;
    }

    /** Tells the attempt to end, unless it has; any thread may. The first reason counts. */
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

    /** Ends the attempt; false when it was abandoned, and so reported, before. An interrupt meant for it goes no further. */
    final boolean end() {
        while (!STATE.compareAndSet(this, RUNNING, ENDED)) {
            if ((int) STATE.getVolatile(this) == ABANDONED) {
                return false;
            }
            Thread.onSpinWait(); // for the moment that an interrupt takes
        }
        return true;
    }

    /** Gives the attempt up from another thread; false when it has ended by itself. */
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

    /** Calls the listeners, the last one first, of failures before all others; what they throw is thrown on, the first of it. */
    final void complete(@Nullable Throwable failure) {
        completed = true;
        Throwable first = failure;
        List<Consumer<Throwable>> failed = failureListeners;
        if (failure != null && failed != null) {
            while (!failed.isEmpty()) { // listeners may add listeners
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
        } catch (Throwable thrown) { // the user's code; the other listeners are called all the same
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

    /** Counts one record that was read, before the task's code sees it. Called for every element. */
    final void countRead() {
        recordsRead++;
    }

    /** Counts {@code records} that were read, from {@code bytes} of files or cached blocks. */
    final void countRead(long records, long bytes) {
        recordsRead += records;
        inputBytes += bytes;
    }

    /** The number of records read so far. Other threads may see an older number. */
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

    /** A block of a shuffle was read to its end. */
    final void shuffleRead(ShuffleSegment block) {
        shuffleReadBytes += block.bytes();
        shuffleReadRecords += block.records();
        recordsRead += block.records();
    }

    final long begunNanos() {
        return begunNanos;
    }

    /** What the attempt added to accumulators, by accumulator; none when it added to none. */
    final Map<Long, Object> accumulations() {
        return accumulations == null ? Map.of() : accumulations;
    }

    /** The attempt's account of memory; for its thread alone, as long as it runs. */
    final TaskMemory memory() {
        TaskMemory open = memory;
        if (open == null) {
            open = services.data().memory().open(taskId(), this::checkKilled);
            memory = open;
        }
        return open;
    }

    /** Has {@code release} called when the attempt has ended, however it ends; the last one first. May be called repeatedly. */
    final void atEnd(Runnable release) {
        if (releases == null) {
            releases = new ArrayList<>();
        }
        releases.add(release);
    }

    /** Gives back everything: what was not published, what is to be released, and the memory. Nothing is thrown. */
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
            long kept = account.close();
            if (kept != 0) {
                LOG.error("{}: {} bytes of memory were not given back (expected: all); they are now", this, kept);
            }
        }
    }

    private void release(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException failure) { // the others are released all the same
            LOG.error("{}: something could not be released", this, failure);
        }
    }

    /** Publishes {@code output} when the attempt has succeeded; discards it when it has not. */
    final void publishOnSuccess(TaskOutput output) {
        if (outputs == null) {
            outputs = new ArrayList<>();
        }
        outputs.add(output);
    }

    /** Publishes what was written for others. */
    final void publish() {
        List<TaskOutput> written = outputs;
        while (written != null && !written.isEmpty()) {
            written.remove(0).publish();
        }
    }

    /** Waits for an answer of another process; a kill ends the waiting, whether or not it interrupts. */
    final <T> T await(CompletionStage<T> answer, String subject) {
        CompletableFuture<T> arriving = new CompletableFuture<>();
        answer.whenComplete((value, failure) -> {
            if (failure == null) {
                arriving.complete(value);
            } else {
                arriving.completeExceptionally(failure);
            }
        });
        awaited = arriving; // before it looks, for a kill looks here after it has said why
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
    public boolean mayCommit() {
        checkKilled();
        boolean may = await(
                services.driver().mayCommit(stage(), stageAttempt(), partition(), attempt()),
                "leave to publish the output of partition " + partition());
        commitDenied = !may;
        return may;
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
    @SuppressWarnings("unchecked") // one kind per id: the handle makes them
    public <S> S accumulation(long id, Supplier<S> fresh) {
        if (accumulations == null) {
            accumulations = new LinkedHashMap<>();
        }
        return (S) accumulations.computeIfAbsent(id, missing -> (Object) fresh.get());
    }

    @Override
    @SuppressWarnings("unchecked") // a copy is of the same class
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
    public Path attached(String name) {
        return services.attached().path(name);
    }

    @Override
    public String toString() {
        return "task " + taskId() + " (partition " + partition() + ", attempt " + attempt() + " of stage " + stage()
                + "." + stageAttempt() + ")";
    }
}
