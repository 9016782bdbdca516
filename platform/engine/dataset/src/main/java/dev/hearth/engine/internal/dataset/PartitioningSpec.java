package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.CapturedFunction;

/** Partitioning of the keys of a shuffle, by which map tasks assign each key to a reduce partition. */
sealed interface PartitioningSpec permits PartitioningSpec.Hashed, PartitioningSpec.Custom, SampledKeyRanges {
    /**
     * The captured {@link dev.hearth.api.Partitioner} of this partitioning, or {@code NONE} if keys are partitioned by
     * hash code. For ranges, call {@link SampledKeyRanges#prepare} first.
     */
    CapturedFunction partitioner();

    /** Assigns each key to a partition by its hash code. */
    record Hashed() implements PartitioningSpec {
        @Override
        public CapturedFunction partitioner() {
            return CapturedFunction.NONE;
        }
    }

    /** Assigns keys to partitions by a partitioner that the user gave. */
    record Custom(CapturedFunction partitioner) implements PartitioningSpec {}
}
