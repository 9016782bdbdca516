package dev.hearth.spi.cluster;

import java.util.List;
import java.util.function.Predicate;

/**
 * List of the workers, applications, executors or drivers of a cluster, in the order in which they are shown. If {@code
 * known} is false, the manager cannot list them; {@code remark} then says why, and what else to ask. The
 * remark of a known list says what it omits; it is empty if the list is complete. Immutable.
 */
public record ClusterListing<T>(List<T> entries, boolean known, String remark) {
    public ClusterListing {
        entries = List.copyOf(entries);
        if (!known && (remark.isBlank() || !entries.isEmpty())) {
            throw new IllegalArgumentException("listing: '" + remark + "' with " + entries.size()
                    + " entries (expected: if it is not known, a reason and no entry)");
        }
    }

    /** Complete list. */
    public static <T> ClusterListing<T> of(List<T> entries) {
        return new ClusterListing<>(entries, true, "");
    }

    /** Listing of a manager that does not know, for the reason {@code why}. */
    public static <T> ClusterListing<T> unknown(String why) {
        return new ClusterListing<>(List.of(), false, why);
    }

    /** The same listing with those entries alone that fulfil {@code condition}. */
    public ClusterListing<T> only(Predicate<? super T> condition) {
        return new ClusterListing<>(entries.stream().filter(condition).toList(), known, remark);
    }
}
