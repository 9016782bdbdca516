package dev.hearth.engine.internal.plan;

/** Forms of narrow dependency. Travels as its ordinal, so constants are only added at the end. */
public enum NarrowDependencyKind {
    /** No dependency. */
    NONE,
    /**
     * The partitions of each branch follow those of the branch before. {@code numbers} are the partition counts of the
     * branches.
     */
    CONCATENATED,
    /** Each partition depends on the partition with the same index in every branch. */
    ONE_TO_ONE,
    /**
     * Each partition depends on neighbouring partitions of the only branch. {@code numbers} are the partition counts of
     * the branch and of the result.
     */
    COALESCED,
    /**
     * Each partition depends on one partition of each of two branches. {@code numbers} has the partition count of the
     * second branch.
     */
    CARTESIAN,
    /** Each partition depends on one partition of the only branch. {@code numbers} has the index of that partition. */
    SELECTED
}
