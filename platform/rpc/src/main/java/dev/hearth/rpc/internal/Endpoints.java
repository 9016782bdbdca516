package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.codec.ProtocolCodec;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEndpoint;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/** The endpoints of one env by name, in the order of their names. Any thread may call. */
final class Endpoints {
    private final SortedMap<String, Endpoint> byName = new ConcurrentSkipListMap<>();

    Endpoint add(String name, ProtocolCodec codec, EventLoop loop, RpcEndpoint receiver) {
        Endpoint endpoint = new Endpoint(name, codec, loop, receiver);
        if (byName.putIfAbsent(name, endpoint) != null) {
            throw new IllegalStateException("endpoint " + name + ": there is one of that name already (expected: none);"
                    + " close its registration first");
        }
        return endpoint;
    }

    void remove(Endpoint endpoint) {
        endpoint.close();
        byName.remove(endpoint.name(), endpoint);
    }

    @Nullable
    Endpoint find(String name) {
        return byName.get(name);
    }

    void peerLost(NettyPeer peer, String reason) {
        byName.values().forEach(endpoint -> endpoint.peerLost(peer, reason));
    }

    void close() {
        byName.values().forEach(this::remove);
    }

    @Override
    public String toString() {
        return byName.keySet().toString();
    }
}
