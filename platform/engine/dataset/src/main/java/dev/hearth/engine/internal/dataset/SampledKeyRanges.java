package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.CapturedFunction;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of keys of nearly equal weight, decided from a sample by the first action that needs them and then kept, so that
 * stages which are run again spread keys as before. Guarded by its own lock, which is held while the sample is taken.
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

    /** The dataset whose keys they are of. */
    Lineage from() {
        return from;
    }

    @Override
    public boolean isDecided() {
        return partitioner != null;
    }

    @Override
    public CapturedFunction partitioner() {
        CapturedFunction decided = partitioner;
        if (decided == null) {
            throw new IllegalStateException("ranges of keys: asked for before they were decided");
        }
        return decided;
    }

    /** Takes the sample, by jobs of its own, unless that was done or one range holds all. What {@code from} reads must be decided. */
    @Override
    public synchronized void decide(DatasetContext runner, CallSite site) {
        if (partitioner == null) {
            partitioner = partitions == 1 || from.partitions() == 0
                    ? KeySample.partitioner(List.of(), order, descending, runner.objects())
                    : KeySample.of(runner, from, site, partitions)
                            .ranges(partitions, order, descending, runner.objects());
        }
    }
}
