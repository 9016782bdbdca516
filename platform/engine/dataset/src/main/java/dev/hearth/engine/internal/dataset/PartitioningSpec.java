package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.CapturedFunction;

/** Partitioning of the keys of a shuffle among its reducers. */
sealed interface PartitioningSpec permits PartitioningSpec.Hashed, PartitioningSpec.Custom, SampledKeyRanges {
    /**
     * The {@link dev.hearth.api.Partitioner}; none to partition by hash code. {@link SampledKeyRanges} must be prepared
     * first.
     */
    CapturedFunction partitioner();

    /** Partitions by hash code. */
    record Hashed() implements PartitioningSpec {
        @Override
        public CapturedFunction partitioner() {
            return CapturedFunction.NONE;
        }
    }

    /** Partitions by the user's partitioner. */
    record Custom(CapturedFunction partitioner) implements PartitioningSpec {}
}
