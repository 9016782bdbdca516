package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import java.util.Collection;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The endpoints of one scope by name, in the order of their names. Any thread may call. */
final class Endpoints {
    private final SortedMap<String, Endpoint> byName = new ConcurrentSkipListMap<>();

    void add(Endpoint endpoint) {
        if (byName.putIfAbsent(endpoint.name(), endpoint) != null) {
            throw new IllegalStateException("endpoint " + endpoint.name()
                    + ": there is one of that name already (expected: none);" + " close its registration first");
        }
        endpoint.start();
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

    void peerConnected(NettyPeer peer) {
        byName.values().forEach(endpoint -> endpoint.peerConnected(peer));
    }

    void peerLost(NettyPeer peer, String reason) {
        byName.values().forEach(endpoint -> endpoint.peerLost(peer, reason));
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
