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
    private boolean urgent; // more than cancels of asks that were served, which can wait for the next beat

    void ask(ContainerAsk ask) {
        asks.add(ask);
        urgent = true;
    }

    void cancel(long key) {
        cancels.add(key);
        urgent = true;
    }

    /** Cancels an ask because a grant has served it. */
    void served(long key) {
        cancels.add(key);
    }

    void release(String container) {
        releases.add(container);
        urgent = true;
    }

    void exclude(List<String> hosts) {
        exclude.addAll(hosts);
        urgent |= !hosts.isEmpty();
    }

    void admit(List<String> hosts) {
        admit.addAll(hosts);
        urgent |= !hosts.isEmpty();
    }

    boolean isUrgent() {
        return urgent;
    }

    boolean hasAsks() {
        return !asks.isEmpty();
    }

    Optional<LineOrders> take() {
        if (asks.isEmpty() && cancels.isEmpty() && releases.isEmpty() && exclude.isEmpty() && admit.isEmpty()) {
            return Optional.empty();
        }
        LineOrders orders = new LineOrders(asks, cancels, releases, exclude, admit);
        asks = new ArrayList<>();
        cancels = new ArrayList<>();
        releases = new ArrayList<>();
        exclude = new ArrayList<>();
        admit = new ArrayList<>();
        urgent = false;
        return Optional.of(orders);
    }
}
