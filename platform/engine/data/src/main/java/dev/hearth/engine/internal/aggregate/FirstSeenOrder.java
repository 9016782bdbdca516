package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.sort.ExternalSorter;
import dev.hearth.engine.internal.sort.SortOrder;
import dev.hearth.engine.internal.sort.SortServices;
import java.util.Objects;
import java.util.Optional;

/** Sorting by the sequence numbers that record when keys were first seen. Stateless. */
final class FirstSeenOrder {
    private FirstSeenOrder() {}

    /**
     * A stable sorter of pairs of sequence number and payload. It spills on demand, because the merge that adds the
     * pairs reserves memory too.
     */
    static ExternalSorter sorter(AggregationServices services) {
        return new ExternalSorter(
                new SortServices(
                        services.memory(), services::format, services::files, services::sizes, services::checkKilled),
                new SortOrder(Optional.empty(), false),
                services.subject(),
                true);
    }

    /** The payload of a sorted pair. */
    static Object payload(Object sorted) {
        return Objects.requireNonNull(((Pair<?, ?>) sorted).value());
    }
}
