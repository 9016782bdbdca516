package dev.hearth.engine.internal.dataset;

import dev.hearth.api.Partitioner;
import dev.hearth.api.RangePartitioner;
import java.io.ObjectStreamException;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a sorted dataset as a partitioner, also before they are decided: whoever asks for a key's partition then has
 * them decided, by a job. Of two, those of one sort are equal. Travels as the ranges. Any thread may ask.
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
        return decided().partition(key);
    }

    boolean isDecided() {
        return ranges.isDecided();
    }

    RangePartitioner<?> decided() {
        if (!ranges.isDecided()) {
            runner.refuseTasks("partitioner");
            CallSite site = CallSite.of("partitioner");
            PendingPreparations.below(ranges.from()).forEach(before -> before.decide(runner, site));
            ranges.decide(runner, site);
        }
        return (RangePartitioner<?>) ranges.partitioner().open(runner.objects(), "ranges of keys");
    }

    private Object writeReplace() throws ObjectStreamException {
        return decided();
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
        return partitions + " ranges of keys" + (isDecided() ? "" : ", not decided yet");
    }
}
