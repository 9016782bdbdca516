package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.Pipeline;
import dev.hearth.engine.internal.plan.Placement;
import dev.hearth.engine.internal.plan.SinkKind;
import dev.hearth.engine.internal.serial.Capture;
import java.util.List;

/** How a dataset is made. Immutable; holds captured functions, never the user's own objects. */
sealed interface Lineage {
    /** The number of the dataset this describes. */
    int dataset();

    int partitions();

    /** What it is made of; empty where elements come from the driver or from files. */
    List<Lineage> parents();

    /** Elements given by the driver, or of files whose parts it knows. */
    record Given(int dataset, Pipeline.Source source, int partitions, PartitionInputs inputs, Placement placement)
            implements Lineage {
        @Override
        public List<Lineage> parents() {
            return List.of();
        }
    }

    /** One transformation that needs no other partition; {@code barrier} when all tasks over it must run at once. */
    record Stepped(int dataset, Lineage from, Pipeline.Step step, boolean barrier) implements Lineage {
        @Override
        public int partitions() {
            return from.partitions();
        }

        @Override
        public List<Lineage> parents() {
            return List.of(from);
        }
    }

    /** Pairs of one dataset, or of several, brought together by key. {@code source} reads the shuffles of {@code sides}. */
    record Shuffled(int dataset, List<Side> sides, Pipeline.Source source, int partitions) implements Lineage {
        @Override
        public List<Lineage> parents() {
            return sides.stream().map(Side::from).toList();
        }
    }

    /** What one dataset writes for a shuffle: how values are joined before, and which reader gets which key. */
    record Side(Lineage from, int shuffle, SinkKind kind, Capture function, Spread spread) {}
}
