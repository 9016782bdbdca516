package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.CapturedFunction;

/** Partitioning of the keys of a shuffle: it assigns each key to a reduce partition. */
sealed interface PartitioningSpec permits PartitioningSpec.Hashed, PartitioningSpec.Custom, SampledKeyRanges {
    /**
     * The {@link dev.hearth.api.Partitioner}; {@code NONE} for partitioning by hash code. Call {@link
     * SampledKeyRanges#prepare} before.
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
