package dev.hearth.engine.internal.plan;

/** How partitions are made of partitions of branches. Constants are only added at the end: they travel by position. */
public enum NarrowDependencyKind {
    /** They are not. */
    NONE,
    /** The partitions of one branch after those of another; numbers: how many each has. */
    IN_TURN,
    /** Each of the partitions of all branches with its own number. */
    ALIGNED,
    /** Each of several neighbours of the only branch; numbers: how many that has, and how many there are of them. */
    NEIGHBOURS,
    /** Each of one of the first branch and one of the second; numbers: how many the second has. */
    CROSSED,
    /** Each is one of the only branch; numbers: which. */
    CHOSEN
}
