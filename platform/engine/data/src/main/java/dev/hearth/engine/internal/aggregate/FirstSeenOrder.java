package dev.hearth.engine.internal.aggregate;

import dev.hearth.api.Pair;
import dev.hearth.engine.internal.sort.ExternalSorter;
import dev.hearth.engine.internal.sort.SortOrder;
import dev.hearth.engine.internal.sort.SortServices;
import java.util.Objects;
import java.util.Optional;

/** Numbers say when keys were first seen; pairs of number and anything are sorted by these. No state of its own. */
final class FirstSeenOrder {
    private FirstSeenOrder() {}

    /** A sort by numbers, of which equal ones stay as they come. Whoever makes what it takes needs memory between. */
    static ExternalSorter sorter(AggregationServices bench) {
        return new ExternalSorter(
                new SortServices(bench.memory(), bench::format, bench::files, bench::sizes, bench::checkKilled),
                new SortOrder(Optional.empty(), false),
                bench.subject(),
                true);
    }

    /** What such a pair has beside its number. */
    static Object value(Object sorted) {
        return Objects.requireNonNull(((Pair<?, ?>) sorted).value());
    }
}
