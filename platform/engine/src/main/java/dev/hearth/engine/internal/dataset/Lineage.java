package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Placement;
import dev.hearth.engine.internal.serial.Capture;
import java.util.Optional;

/** How a dataset is made. Immutable; holds captured functions, never the user's own objects. */
sealed interface Lineage {
    /** The number of the dataset this describes. */
    int dataset();

    int partitions();

    /** What it is made of; empty where elements come from the driver. */
    Optional<Lineage> parent();

    /** Elements given by the driver. */
    record Given(int dataset, int partitions, PartitionInputs inputs, Placement placement) implements Lineage {
        @Override
        public Optional<Lineage> parent() {
            return Optional.empty();
        }
    }

    /** One transformation that needs no other partition; {@code barrier} when all tasks over it must run at once. */
    record Stepped(int dataset, Lineage from, Pipeline.Step step, boolean barrier) implements Lineage {
        @Override
        public int partitions() {
            return from.partitions();
        }

        @Override
        public Optional<Lineage> parent() {
            return Optional.of(from);
        }
    }

    /** Pairs brought together by key; {@code join} joins two values of a key, or is none and they are listed. */
    record Shuffled(int dataset, Lineage from, int shuffle, int partitions, Optional<Capture> join) implements Lineage {
        @Override
        public Optional<Lineage> parent() {
            return Optional.of(from);
        }
    }
}
