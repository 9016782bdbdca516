package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import java.util.function.Consumer;

/**
 * Collaborators shared by all connections of one scope (the namespace of one application). {@code gone} receives each
 * connection that is lost; {@code demand} starts bundles whose endpoints are missing.
 */
record PeerServices(
        RpcSettings settings,
        String scope,
        EndpointRegistry endpoints,
        ProtocolCodecCache codecs,
        Ticker ticker,
        Consumer<NettyPeer> gone,
        EndpointDemand demand) {}
