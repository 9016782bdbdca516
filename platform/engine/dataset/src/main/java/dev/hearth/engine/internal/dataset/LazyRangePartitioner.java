package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import java.io.ObjectStreamException;
import org.jspecify.annotations.Nullable;

/**
 * Range partitioner of a sort, which samples the keys by a job on the first call that needs the ranges. Two instances
 * are equal if they belong to the same sort. Serialised as a partitioner with the sampled ranges. Thread-safe.
 */
final class LazyRangePartitioner implements Partitioner {
    private static final long serialVersionUID = 1L;

    private final transient DatasetContext runner;
    private final transient SampledKeyRanges ranges;
    private final transient int partitions;

    LazyRangePartitioner(DatasetContext runner, SampledKeyRanges ranges, int partitions) {
        this.runner = runner;
        this.ranges = ranges;
        this.partitions = partitions;
    }

    SampledKeyRanges ranges() {
        return ranges;
    }

    @Override
    public int partitions() {
        return partitions;
    }

    @Override
    public int partition(@Nullable Object key) {
        return sampled().partition(key);
    }

    boolean isPrepared() {
        return ranges.isPrepared();
    }

    RangePartitioner<?> sampled() {
        if (!ranges.isPrepared()) {
            runner.refuseTasks("partitioner");
            CallSite site = CallSite.of("partitioner");
            PendingPreparations.of(ranges.from()).forEach(before -> before.prepare(runner, site));
            ranges.prepare(runner, site);
        }
        return (RangePartitioner<?>) ranges.partitioner().open(runner.objects(), "ranges of keys");
    }

    private Object writeReplace() throws ObjectStreamException {
        return sampled();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LazyRangePartitioner sorted && sorted.ranges == ranges;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(ranges);
    }

    @Override
    public String toString() {
        return partitions + " ranges of keys" + (isPrepared() ? "" : ", not sampled yet");
    }
}
