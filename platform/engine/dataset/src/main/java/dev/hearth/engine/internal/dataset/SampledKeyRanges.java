package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Range partitioning with ranges of nearly equal weight. The first action that needs the ranges samples the keys. The
 * ranges then never change, so that recomputed stages partition keys as before. Guarded by its own lock, held while the
 * sampling job runs.
 */
final class SampledKeyRanges implements PartitioningSpec, Preparation {
    private final Lineage from;
    private final int partitions;
    private final Optional<Comparator<Object>> order;
    private final boolean descending;
    private volatile @Nullable CapturedFunction partitioner;

    SampledKeyRanges(Lineage from, int partitions, Optional<Comparator<Object>> order, boolean descending) {
        this.from = from;
        this.partitions = partitions;
        this.order = order;
        this.descending = descending;
    }

    /** The lineage of the dataset whose keys are sampled, and whose pairs are then sorted. */
    Lineage from() {
        return from;
    }

    @Override
    public boolean isPrepared() {
        return partitioner != null;
    }

    @Override
    public CapturedFunction partitioner() {
        CapturedFunction ranges = partitioner;
        if (ranges == null) {
            throw new IllegalStateException("ranges of keys: planned before their keys were sampled");
        }
        return ranges;
    }

    /**
     * Computes the ranges from a sample of the keys, unless they have been computed. A single range or a dataset
     * without partitions needs no sample.
     */
    @Override
    public synchronized void prepare(DatasetContext runner, CallSite site) {
        if (partitioner == null) {
            partitioner = partitions == 1 || from.partitions() == 0
                    ? KeySample.partitioner(List.of(), order, descending, runner.objects())
                    : KeySample.of(runner, from, site, partitions)
                            .ranges(partitions, order, descending, runner.objects());
        }
    }
}
