package dev.hearth.engine.internal.plan;

/** Form of the result for each key when the pairs of several datasets, the sides, are cogrouped or joined. */
public enum JoinKind {
    /** One pair per key: the key, and a {@code List[]} that has one list of values for each side. */
    COGROUP,
    /**
     * An inner join of two sides. For each combination of two values of a key, it yields a pair of the key and a pair
     * of these values.
     */
    JOIN
}
