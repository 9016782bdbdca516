package dev.hearth.engine.internal.plan;

/** Result of a cogroup of several sides, for each key. */
public enum JoinKind {
    /** A pair of the key and a {@code List[]} with the values of each side. */
    COGROUP,
    /** An inner join of two sides: a pair of the key and a pair of values, for each two values of the key. */
    JOIN
}
