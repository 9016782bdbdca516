package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import java.util.Collection;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Endpoints of one scope (the namespace of one application), by name and numbered in the order of registration. Each
 * connection remembers the highest number up to which endpoints were notified of it, so that it can find newer
 * endpoints. Thread-safe.
 */
final class EndpointRegistry {
    private final SortedMap<String, Endpoint> byName = new ConcurrentSkipListMap<>();
    private volatile long newest; // written together with the map, while holding the lock of this registry

    /** Registers an endpoint. Its receiver is notified of the start before it gets any other call. */
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

    /** Returns the number of the endpoint that was registered last. */
    long newest() {
        return newest;
    }

    /**
     * Returns the endpoints of this registry with a registration number above {@code known} and at most {@code last}.
     */
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
