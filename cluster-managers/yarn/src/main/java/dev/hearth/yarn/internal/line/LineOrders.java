package dev.hearth.yarn.internal.line;

import java.util.List;

/**
 * Orders for one beat of a line: requests, then requests to drop by their keys, containers to release, and hosts to exclude or
 * to admit again. A request that is repeated with its key is one request. A line drops a request of its choice for each grant
 * of the same group, or else priority; if its owner drops that one too, it drops another one of the same group, size and place. Immutable.
 */
public record LineOrders(
        List<ContainerAsk> asks, List<Long> cancels, List<String> releases, List<String> exclude, List<String> admit) {
    public static final LineOrders NONE = new LineOrders(List.of(), List.of(), List.of(), List.of(), List.of());

    public LineOrders {
        asks = List.copyOf(asks);
        cancels = List.copyOf(cancels);
        releases = List.copyOf(releases);
        exclude = List.copyOf(exclude);
        admit = List.copyOf(admit);
    }
}
