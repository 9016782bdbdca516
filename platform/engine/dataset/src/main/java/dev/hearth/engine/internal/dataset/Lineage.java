package dev.hearth.engine.internal.dataset;

import dev.hearth.api.resource.ResourceProfile;
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
 * Lineage of a dataset: how the dataset is computed from its parents. Holds captured copies of functions, never the
 * user's own objects. Immutable, except for {@link Checkpointable}, which also has the resource profile.
 */
sealed interface Lineage {
    /** The id of the dataset whose lineage this is. */
    int dataset();

    int partitions();

    /** The parent lineages; empty for files and for elements that the driver provides. */
    List<Lineage> parents();

    /**
     * The lineage by which the dataset is computed now: this object or, for a {@link Checkpointable}, the lineage that
     * it wraps now.
     */
    default Lineage current() {
        return this;
    }

    /**
     * Wraps a lineage, unless it is already wrapped, so that a later checkpoint can truncate it. Child datasets refer
     * to the wrapper.
     */
    static Checkpointable checkpointable(Lineage current) {
        return current instanceof Checkpointable known ? known : new Checkpointable(current);
    }

    /** A dataset without parents: elements that the driver provides, or files with known splits. */
    record Root(int dataset, Source source, int partitions, PartitionInputs inputs, PreferredLocations placement)
            implements Lineage {
        @Override
        public List<Lineage> parents() {
            return List.of();
        }
    }

    /**
     * A transformation of each partition by itself, without other partitions. If {@code barrier}, its stage starts all
     * tasks at once.
     */
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

    /**
     * A transformation in two passes: the first pass, over all partitions, computes the function that the second pass
     * applies to each partition.
     */
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

    /**
     * A dataset with narrow dependencies on {@code parents}: each of its partitions is computed from few parent
     * partitions. {@code source} combines them, and refers to parents by index.
     */
    record Narrow(int dataset, List<Lineage> parents, BranchSource source, int partitions) implements Lineage {
        public Narrow {
            parents = List.copyOf(parents);
        }
    }

    /**
     * Pairs of one or more datasets, shuffled by key. {@code source} reads the shuffles, one per entry of {@code
     * sides}.
     */
    record Shuffled(int dataset, List<ShuffleSide> sides, ShuffleSource source, int partitions) implements Lineage {
        @Override
        public List<Lineage> parents() {
            return sides.stream().map(ShuffleSide::from).toList();
        }
    }

    /**
     * Wrapper of a dataset's lineage, which a checkpoint replaces once. The former parents of the dataset can then be
     * garbage collected. Thread-safe.
     */
    final class Checkpointable implements Lineage {
        private final int dataset;
        private final int partitions;
        private final AtomicReference<Checkpointing> checkpointing = new AtomicReference<>(Checkpointing.NONE);
        private volatile Lineage current;
        private volatile Optional<ResourceProfile> profile = Optional.empty();

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

        /** Needs of the stages that compute the dataset; empty if the application has not said so. */
        Optional<ResourceProfile> profile() {
            return profile;
        }

        void need(ResourceProfile wanted) {
            profile = Optional.of(wanted);
        }

        Checkpointing checkpointing() {
            return checkpointing.get();
        }

        /**
         * Changes the checkpoint state of the dataset atomically. Returns false, without a change, if the state is not
         * {@code from}.
         */
        boolean move(Checkpointing from, Checkpointing next) {
            return checkpointing.compareAndSet(from, next);
        }

        /** Replaces the wrapped lineage by {@code truncated}, which reads the checkpoint of the same dataset. */
        void truncate(Lineage truncated) {
            current = truncated;
            checkpointing.set(Checkpointing.DONE);
        }
    }

    /** States of the checkpoint of a dataset; {@code NONE} if none was requested. */
    enum Checkpointing {
        NONE,
        /** A reliable checkpoint, which consists of files in the checkpoint directory, is requested. */
        RELIABLE,
        /** A local checkpoint, which consists of the dataset's cached blocks, is requested. */
        LOCAL,
        WRITING,
        DONE
    }

    /**
     * The map side of one shuffle: the dataset to shuffle ({@code from}), the map-side aggregation if any, and the
     * partitioning of the keys.
     */
    record ShuffleSide(Lineage from, int shuffle, Optional<KeyAggregation> mapSide, PartitioningSpec spread) {}
}
