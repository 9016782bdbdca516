package dev.hearth.engine.internal.plan;

import dev.hearth.engine.internal.closure.CapturedFunction;

/**
 * Source that reads partitions of other branches of the same stage, by narrow dependencies and without a shuffle.
 * Immutable.
 */
public sealed interface BranchSource extends Source {
    /**
     * A copy of this source with {@code parts} as its narrow dependencies. The planner calls this method once it knows
     * the indices of the branches that the source reads.
     */
    BranchSource over(NarrowDependencies parts);

    <R, E extends Exception> R acceptBranches(BranchSource.Handler<R, E> handler) throws E;

    @Override
    default <R, E extends Exception> R accept(Source.Handler<R, E> handler) throws E {
        return handler.onBranches(this);
    }

    @Override
    default boolean readsBranches() {
        return true;
    }

    /** The elements of several partitions, one partition after another, as in a union. */
    record Union(NarrowDependencies parts) implements BranchSource {
        @Override
        public String label() {
            return "UNION";
        }

        @Override
        public BranchSource over(NarrowDependencies others) {
            return new Union(others);
        }

        @Override
        public <R, E extends Exception> R acceptBranches(BranchSource.Handler<R, E> handler) throws E {
            return handler.onUnion(this);
        }
    }

    /**
     * The result of a {@link dev.hearth.api.function.ZipFunction} applied to two partitions: one of each of the two
     * zipped datasets.
     */
    record Zipped(NarrowDependencies parts, CapturedFunction function) implements BranchSource {
        @Override
        public String label() {
            return "ZIP_PARTITIONS";
        }

        @Override
        public boolean passesIterator() {
            return true;
        }

        @Override
        public BranchSource over(NarrowDependencies others) {
            return new Zipped(others, function);
        }

        @Override
        public <R, E extends Exception> R acceptBranches(BranchSource.Handler<R, E> handler) throws E {
            return handler.onZipped(this);
        }
    }

    /** The Cartesian product of two partitions, one of each dataset: a pair for each combination of their elements. */
    record Crossed(NarrowDependencies parts) implements BranchSource {
        @Override
        public String label() {
            return "CARTESIAN";
        }

        @Override
        public BranchSource over(NarrowDependencies others) {
            return new Crossed(others);
        }

        @Override
        public <R, E extends Exception> R acceptBranches(BranchSource.Handler<R, E> handler) throws E {
            return handler.onCrossed(this);
        }
    }

    /**
     * The pairs of several partitions, cogrouped or joined by key, as {@code join} says. Each partition is one side of
     * the cogroup or join.
     */
    record Cogrouped(NarrowDependencies parts, JoinKind join) implements BranchSource {
        @Override
        public String label() {
            return join.name();
        }

        @Override
        public BranchSource over(NarrowDependencies others) {
            return new Cogrouped(others, join);
        }

        @Override
        public <R, E extends Exception> R acceptBranches(BranchSource.Handler<R, E> handler) throws E {
            return handler.onCogrouped(this);
        }
    }

    /** Visitor with one method for each kind of {@link BranchSource}. */
    interface Handler<R, E extends Exception> {
        R onUnion(Union source) throws E;

        R onZipped(Zipped source) throws E;

        R onCrossed(Crossed source) throws E;

        R onCogrouped(Cogrouped source) throws E;
    }
}
