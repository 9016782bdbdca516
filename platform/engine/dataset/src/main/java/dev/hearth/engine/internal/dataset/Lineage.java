package dev.hearth.engine.internal.dataset;

import dev.hearth.engine.internal.plan.BranchSource;
import dev.hearth.engine.internal.plan.KeyAggregation;
import dev.hearth.engine.internal.plan.PartitionInputs;
import dev.hearth.engine.internal.plan.PreferredLocations;
import dev.hearth.engine.internal.plan.ShuffleSource;
import dev.hearth.engine.internal.plan.Source;
import dev.hearth.engine.internal.plan.Step;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Lineage of a dataset: how it is computed from its parents. Holds captured functions, never the user's own objects.
 * Immutable, except for {@link Checkpointable}.
 */
sealed interface Lineage {
    /** The id of the dataset. */
    int dataset();

    int partitions();

    /** The parent lineages; empty for elements of the driver and for files. */
    List<Lineage> parents();

    /** The current lineage: this one, or for a {@link Checkpointable} the one that it wraps now. */
    default Lineage current() {
        return this;
    }

    /** Wraps a lineage for the datasets that are computed from it, so that a checkpoint can truncate it. */
    static Checkpointable checkpointable(Lineage current) {
        return current instanceof Checkpointable known ? known : new Checkpointable(current);
    }

    /** Elements of the driver, or files with known splits. */
    record Root(int dataset, Source source, int partitions, PartitionInputs inputs, PreferredLocations placement)
            implements Lineage {
        @Override
        public List<Lineage> parents() {
            return List.of();
        }
    }

    /** One transformation within each partition. A {@code barrier} stage launches all its tasks at once. */
    record Transformed(int dataset, Lineage from, Step step, boolean barrier) implements Lineage {
        @Override
        public int partitions() {
            return from.partitions();
        }

        @Override
        public List<Lineage> parents() {
            return List.of(from);
        }
    }

    /** A transformation within each partition whose function depends on a first pass over all partitions. */
    record TwoPass(int dataset, Lineage from, TwoPassFunction<?, ?, ?> survey) implements Lineage {
        @Override
        public int partitions() {
            return from.partitions();
        }

        @Override
        public List<Lineage> parents() {
            return List.of(from);
        }
    }

    /** Partitions with narrow dependencies on other datasets. {@code source} refers to {@code parents} by index. */
    record Narrow(int dataset, List<Lineage> parents, BranchSource source, int partitions) implements Lineage {
        public Narrow {
            parents = List.copyOf(parents);
        }
    }

    /** Pairs of one or more datasets, shuffled by key. {@code source} reads the shuffles of {@code sides}. */
    record Shuffled(int dataset, List<ShuffleSide> sides, ShuffleSource source, int partitions) implements Lineage {
        @Override
        public List<Lineage> parents() {
            return sides.stream().map(ShuffleSide::from).toList();
        }
    }

    /**
     * Lineage that a checkpoint truncates once, after which the former parents can be collected. Any thread may call.
     */
    final class Checkpointable implements Lineage {
        private final int dataset;
        private final int partitions;
        private final AtomicReference<Checkpointing> checkpointing = new AtomicReference<>(Checkpointing.NONE);
        private volatile Lineage current;

        private Checkpointable(Lineage current) {
            this.dataset = current.dataset();
            this.partitions = current.partitions();
            this.current = current;
        }

        @Override
        public int dataset() {
            return dataset;
        }

        @Override
        public int partitions() {
            return partitions;
        }

        @Override
        public List<Lineage> parents() {
            return List.of(current);
        }

        @Override
        public Lineage current() {
            return current;
        }

        Checkpointing checkpointing() {
            return checkpointing.get();
        }

        /** Moves from one state to the next; false if another thread has moved it. */
        boolean move(Checkpointing from, Checkpointing next) {
            return checkpointing.compareAndSet(from, next);
        }

        /** Replaces the lineage by one that reads the checkpoint. */
        void truncate(Lineage truncated) {
            current = truncated;
            checkpointing.set(Checkpointing.DONE);
        }
    }

    /** States of a checkpoint. */
    enum Checkpointing {
        NONE,
        /** A checkpoint in files is requested. */
        RELIABLE,
        /** A local checkpoint, in cached blocks, is requested. */
        LOCAL,
        WRITING,
        DONE
    }

    /** The map side of one shuffle: the dataset written, how map tasks combine its values, and how keys are partitioned. */
    record ShuffleSide(Lineage from, int shuffle, Optional<KeyAggregation> mapSide, PartitioningSpec spread) {}
}
