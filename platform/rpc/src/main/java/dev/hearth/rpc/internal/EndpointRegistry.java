package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints of one scope, sorted by name and numbered in the order of registration. A peer remembers the number of the
 * last endpoint that was notified of it. Any thread may call.
 */
final class EndpointRegistry {
    private final SortedMap<String, Endpoint> byName = new ConcurrentSkipListMap<>();
    private volatile long newest; // written under the lock of this, together with the map

    /** Registers an endpoint. The first call that its receiver gets is the notification of the start. */
    synchronized void add(Endpoint endpoint) {
        if (byName.containsKey(endpoint.name())) {
            throw new IllegalStateException("endpoint " + endpoint.name()
                    + ": there is one of that name already (expected: none); close its registration first");
        }
        long number = newest + 1;
        endpoint.start(number);
        byName.put(endpoint.name(), endpoint);
        newest = number;
    }

    void remove(Endpoint endpoint) {
        byName.remove(endpoint.name(), endpoint);
        endpoint.close();
    }

    @Nullable
    Endpoint find(String name) {
        return byName.get(name);
    }

    Collection<Endpoint> all() {
        return byName.values();
    }

    /** Number of the endpoint registered last. */
    long newest() {
        return newest;
    }

    /** Endpoints with numbers above {@code known}, up to {@code last}. */
    synchronized List<Endpoint> between(long known, long last) {
        return byName.values().stream()
                .filter(endpoint -> endpoint.number() > known && endpoint.number() <= last)
                .toList();
    }

    void networkFailed(String remote, HearthException failure) {
        byName.values().forEach(endpoint -> endpoint.networkFailed(remote, failure));
    }

    void close() {
        byName.values().forEach(this::remove);
    }

    @Override
    public String toString() {
        return byName.keySet().toString();
    }
}
