package dev.hearth.api;

import java.io.Serializable;

/** Three values. */
public record Triple<A, B, C>(A first, B second, C third) implements Serializable {
    public static <A, B, C> Triple<A, B, C> of(A first, B second, C third) {
        return new Triple<>(first, second, third);
    }

    /** The text of the values in the form of a Scala tuple: {@code (a,1,b)}. */
    @Override
    public String toString() {
        return "(" + first + "," + second + "," + third + ")";
    }
}
