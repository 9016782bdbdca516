package dev.hearth.api;

import java.io.Serializable;

/**
 * A number estimated from a part of the data. {@code mean} is the estimate; with probability {@code confidence}, the
 * exact number is between {@code low} and {@code high}.
 */
public record Estimate(double mean, double confidence, double low, double high) implements Serializable {
    /** The estimate of a number that was computed from all data: both bounds are {@code number}, with confidence 1. */
    public static Estimate exact(double number) {
        return new Estimate(number, 1, number, number);
    }

    public boolean isExact() {
        return confidence == 1 && Double.compare(low, high) == 0; // both bounds are NaN without data
    }
}
