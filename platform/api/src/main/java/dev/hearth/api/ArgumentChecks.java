package dev.hearth.api;

import java.util.HashMap;
import java.util.Map;

/** Validates the arguments of an operation when the application calls the operation, before any job runs. Stateless. */
final class ArgumentChecks {
    /** Reason for the cancellation of jobs by methods that take no reason. */
    static final String ASKED = "the program asked for it";

    private ArgumentChecks() {}

    static int partitions(String operation, int partitions) {
        if (partitions < 1) {
            throw refused(operation, partitions + " partitions (expected: 1 or more)");
        }
        return partitions;
    }

    static Partitioner hash(String operation, int partitions) {
        return new HashPartitioner(partitions(operation, partitions));
    }

    static int count(String operation, int count) {
        if (count < 0) {
            throw refused(operation, count + " elements (expected: 0 or more)");
        }
        return count;
    }

    static int depth(String operation, int depth) {
        if (depth < 1) {
            throw refused(operation, "depth " + depth + " (expected: 1 or more)");
        }
        return depth;
    }

    static void fraction(String operation, double fraction, boolean withReplacement) {
        if (withReplacement
                ? !(fraction >= 0 && fraction < Double.POSITIVE_INFINITY)
                : !(fraction >= 0 && fraction <= 1)) {
            throw refused(
                    operation,
                    "fraction " + fraction + " (expected: "
                            + (withReplacement ? "0 or more" : "0 to 1; more only with replacement") + ")");
        }
    }

    /** Validates {@code fractions}, the sampling fraction of each key, and returns a serialisable copy of this map. */
    static <K> Map<K, Double> fractions(String operation, Map<K, Double> fractions, boolean withReplacement) {
        fractions.forEach((key, fraction) -> fraction(operation + " of key " + key, fraction, withReplacement));
        return new HashMap<>(fractions);
    }

    /** Validates {@code weights}, the weights of the parts of a randomSplit, and returns their sum. */
    static double weights(String operation, double[] weights) {
        double total = 0;
        for (double weight : weights) {
            if (!(weight >= 0 && weight < Double.POSITIVE_INFINITY)) {
                throw refused(operation, "weight " + weight + " (expected: 0 or more)");
            }
            total += weight;
        }
        if (total <= 0) {
            throw refused(operation, "no weight above 0 (expected: one or more)");
        }
        return total;
    }

    static double confidence(String operation, double confidence) {
        if (!(confidence >= 0 && confidence < 1)) {
            throw refused(operation, "confidence " + confidence + " (expected: 0 or more, and below 1)");
        }
        return confidence;
    }

    static HearthException refused(String operation, String found) {
        return new HearthException("BAD_ARGUMENT", operation + ": " + found);
    }

    static HearthException empty(String operation) {
        return new HearthException(
                "EMPTY_DATASET",
                operation + ": the dataset has no elements (expected: one or more); test with isEmpty() first");
    }
}
