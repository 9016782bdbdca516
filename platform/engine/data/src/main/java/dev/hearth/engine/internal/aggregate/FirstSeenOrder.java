package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.sort.ExternalSorter;
import dev.hearth.engine.internal.sort.SortOrder;
import dev.hearth.engine.internal.sort.SortServices;
import java.util.Objects;
import java.util.Optional;

/**
 * Sorts spilled keys back into the order in which they were first seen, which their sequence numbers record. Stateless.
 */
final class FirstSeenOrder {
    private FirstSeenOrder() {}

    /**
     * Creates a stable sorter of pairs by sequence number. Each pair has a sequence number as its key, and a payload,
     * such as an aggregated pair. The sorter spills when another consumer of the task needs memory, because the merge
     * that feeds it also reserves memory.
     */
    static ExternalSorter sorter(AggregationServices services) {
        return new ExternalSorter(
                new SortServices(
                        services.memory(), services::format, services::files, services::sizes, services::checkKilled),
                new SortOrder(Optional.empty(), false),
                services.subject(),
                true);
    }

    /**
     * Returns the second part of {@code sorted}, a pair that the {@link #sorter} returned: the payload, which follows
     * the sequence number.
     */
    static Object payload(Object sorted) {
        return Objects.requireNonNull(((Pair<?, ?>) sorted).value());
    }
}
