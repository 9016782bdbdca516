package dev.hearth.engine.internal.plan;

/** Kinds of narrow dependency. Messages contain a kind as its ordinal, so new constants are only added at the end. */
public enum NarrowDependencyKind {
    /** No dependency. */
    NONE,
    /**
     * The partitions of all branches in sequence, as in a union. {@code numbers} are the partition counts of the
     * branches.
     */
    CONCATENATED,
    /** Each partition depends on the partition with the same index in every branch. */
    ONE_TO_ONE,
    /**
     * Each partition depends on a range of consecutive partitions of the only branch. {@code numbers} are the partition
     * counts of the branch and of the result.
     */
    COALESCED,
    /**
     * The combinations of the partitions of two branches: each partition depends on one partition of each.
     * {@code numbers} has the partition count of the second branch.
     */
    CARTESIAN,
    /**
     * Each partition depends on one chosen partition of the only branch. {@code numbers} has the index of that
     * partition.
     */
    SELECTED
}
