package dev.hearth.api;

import java.io.Serializable;

/** Four values. */
public record Quad<A, B, C, D>(A first, B second, C third, D fourth) implements Serializable {
    public static <A, B, C, D> Quad<A, B, C, D> of(A first, B second, C third, D fourth) {
        return new Quad<>(first, second, third, fourth);
    }

    /** The text of the values in the form of a Scala tuple: {@code (a,1,b,2)}. */
    @Override
    public String toString() {
        return "(" + first + "," + second + "," + third + "," + fourth + ")";
    }
}
