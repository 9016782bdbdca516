package dev.hearth.engine.internal.plan;

/** How partitions depend on partitions of branches. Travels as its ordinal, so constants are only added at the end. */
public enum NarrowDependencyKind {
    /** They depend on none. */
    NONE,
    /** The partitions of each branch follow those of the branch before. Numbers: how many partitions each branch has. */
    CONCATENATED,
    /** Each depends on the partition of its own number in every branch. */
    ONE_TO_ONE,
    /** Each depends on a run of neighbours in the only branch. Numbers: how many partitions that has, and how many there are. */
    COALESCED,
    /** Each depends on one partition of either of two branches. Numbers: how many partitions the second branch has. */
    CARTESIAN,
    /** Each depends on one partition of the only branch. Numbers: which one. */
    SELECTED
}
