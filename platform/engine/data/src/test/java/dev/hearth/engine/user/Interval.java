package dev.hearth.engine.user;

import java.io.Serializable;

/** A user's record that refuses what cannot be. */
public record Interval(int from, int to) implements Serializable {
    private static final long serialVersionUID = 1L;

    public Interval {
        if (from > to) {
            throw new IllegalArgumentException("from " + from + " to " + to);
        }
    }
}
