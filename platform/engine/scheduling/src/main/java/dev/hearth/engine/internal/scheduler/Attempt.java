package dev.hearth.engine.internal.scheduler;

import dev.hearth.api.event.Locality;
import dev.hearth.api.event.TaskInfo;
import dev.hearth.engine.internal.resource.AddressPool;
import org.jspecify.annotations.Nullable;

/**
 * One task attempt that an executor runs, or queues for a core. Created at its launch and dropped when its end is
 * reported. {@code previous} and {@code next} link the attempts of one executor. Its {@code twin} is the other attempt
 * at the same partition, if both run. {@code runningIndex} is the position among the running attempts of its task set.
 */
final class Attempt {
    final long task;
    final TaskSet set;
    final Executor executor;
    final int index; // index of the partition within the task set
    final int number;
    final Locality locality;
    final boolean speculative;
    long launchedMillis; // wall-clock time of the launch, replaced by that of the begin

    @Nullable
    Attempt previous;

    @Nullable
    Attempt next;

    @Nullable
    Attempt twin; // the other attempt at the same partition, while both run

    AddressPool.@Nullable Lease lease; // addresses that this attempt may use

    int runningIndex;
    boolean begun;
    long begunNanos;
    boolean startPublished;
    boolean recalled;
    boolean killed;
    boolean speculatable; // a speculative copy of this attempt was requested
    long recordsRead;

    Attempt(
            long task,
            TaskSet set,
            Executor executor,
            int index,
            int number,
            Locality locality,
            boolean speculative,
            long launchedMillis) {
        this.task = task;
        this.set = set;
        this.executor = executor;
        this.index = index;
        this.number = number;
        this.locality = locality;
        this.speculative = speculative;
        this.launchedMillis = launchedMillis;
    }

    TaskInfo info() {
        return new TaskInfo(
                task,
                set.id().stage(),
                set.id().attempt(),
                set.partition(index),
                number,
                executor.id().value(),
                executor.host(),
                locality,
                speculative,
                launchedMillis);
    }
}
