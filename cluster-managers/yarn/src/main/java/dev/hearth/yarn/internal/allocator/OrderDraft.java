package dev.hearth.yarn.internal.allocator;

import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.LineOrders;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Orders that the present event has led to, until they are taken as one. Owned by {@link Allocator}. */
final class OrderDraft {
    private List<ContainerAsk> asks = new ArrayList<>();
    private List<Long> cancels = new ArrayList<>();
    private List<String> releases = new ArrayList<>();
    private List<String> exclude = new ArrayList<>();
    private List<String> admit = new ArrayList<>();

    void ask(ContainerAsk ask) {
        asks.add(ask);
    }

    void cancel(long key) {
        cancels.add(key);
    }

    void release(String container) {
        releases.add(container);
    }

    void exclude(List<String> hosts) {
        exclude.addAll(hosts);
    }

    void admit(List<String> hosts) {
        admit.addAll(hosts);
    }

    boolean isEmpty() {
        return asks.isEmpty() && cancels.isEmpty() && releases.isEmpty() && exclude.isEmpty() && admit.isEmpty();
    }

    boolean hasAsks() {
        return !asks.isEmpty();
    }

    Optional<LineOrders> take() {
        if (isEmpty()) {
            return Optional.empty();
        }
        LineOrders orders = new LineOrders(asks, cancels, releases, exclude, admit);
        asks = new ArrayList<>();
        cancels = new ArrayList<>();
        releases = new ArrayList<>();
        exclude = new ArrayList<>();
        admit = new ArrayList<>();
        return Optional.of(orders);
    }
}
