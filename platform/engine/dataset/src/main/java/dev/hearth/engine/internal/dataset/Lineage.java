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

/** How a dataset is made. Immutable; holds captured functions, never the user's own objects. */
sealed interface Lineage {
    /** The number of the dataset this describes. */
    int dataset();

    int partitions();

    /** What it is made of; empty where elements come from the driver or from files. */
    List<Lineage> parents();

    /** How it is made by now: by itself, unless it stands for what may change. */
    default Lineage now() {
        return this;
    }

    /** The lineage that other datasets are made of, for it may be cut later on. */
    static Checkpointable cuttable(Lineage made) {
        return made instanceof Checkpointable known ? known : new Checkpointable(made);
    }

    /** Elements given by the driver, or of files whose parts it knows. */
    record Root(int dataset, Source source, int partitions, PartitionInputs inputs, PreferredLocations placement)
            implements Lineage {
        @Override
        public List<Lineage> parents() {
            return List.of();
        }
    }

    /** One transformation that needs no other partition; {@code barrier} when all tasks over it must run at once. */
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

    /** As {@link Transformed}, by a function that is made once something is known of all partitions. */
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

    /** Partitions that depend on partitions of other datasets by narrow dependencies. {@code source} names places in {@code parents}. */
    record Narrow(int dataset, List<Lineage> parents, BranchSource source, int partitions) implements Lineage {
        public Narrow {
            parents = List.copyOf(parents);
        }
    }

    /** Pairs of one dataset, or of several, brought together by key. {@code source} reads the shuffles of {@code sides}. */
    record Shuffled(int dataset, List<ShuffleSide> sides, ShuffleSource source, int partitions) implements Lineage {
        @Override
        public List<Lineage> parents() {
            return sides.stream().map(ShuffleSide::from).toList();
        }
    }

    /**
     * A dataset as others refer to it: how it is made changes once, when it was checkpointed, and what it was made of before may
     * then go. Any thread may ask.
     */
    final class Checkpointable implements Lineage {
        private final int dataset;
        private final int partitions;
        private final AtomicReference<Checkpointing> checkpointing = new AtomicReference<>(Checkpointing.NONE);
        private volatile Lineage made;

        private Checkpointable(Lineage made) {
            this.dataset = made.dataset();
            this.partitions = made.partitions();
            this.made = made;
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
            return List.of(made);
        }

        @Override
        public Lineage now() {
            return made;
        }

        Checkpointing checkpointing() {
            return checkpointing.get();
        }

        /** Moves on; false when another thread did before, or it is beyond that. */
        boolean move(Checkpointing from, Checkpointing next) {
            return checkpointing.compareAndSet(from, next);
        }

        /** From now on it is made like that. */
        void cut(Lineage remade) {
            made = remade;
            checkpointing.set(Checkpointing.DONE);
        }
    }

    /** How far a checkpoint has come. */
    enum Checkpointing {
        NONE,
        /** Wanted in files. */
        RELIABLE,
        /** Wanted in what executors keep. */
        LOCAL,
        WRITING,
        DONE
    }

    /** The map side of one shuffle: the dataset written, how map tasks combine its values, and how keys are partitioned. */
    record ShuffleSide(Lineage from, int shuffle, Optional<KeyAggregation> mapSide, PartitioningSpec spread) {}
}
