package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.closure.CapturedFunction;

/** How the keys of a shuffle are spread over its readers. */
sealed interface PartitioningSpec permits PartitioningSpec.Hashed, PartitioningSpec.Custom, SampledKeyRanges {
    /** The {@link dev.hearth.api.Partitioner}; none for hash codes. To be asked once it is decided. */
    CapturedFunction partitioner();

    /** Whether nothing is missing for {@link #partitioner}. */
    default boolean isDecided() {
        return true;
    }

    /** By hash codes. */
    record Hashed() implements PartitioningSpec {
        @Override
        public CapturedFunction partitioner() {
            return CapturedFunction.NONE;
        }
    }

    /** As the user's partitioner says. */
    record Custom(CapturedFunction partitioner) implements PartitioningSpec {}
}
