package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import java.util.function.Consumer;

/** Collaborators shared by the peers of one scope; {@code gone} is called with each lost peer. */
record PeerServices(
        RpcSettings settings,
        String scope,
        EndpointRegistry endpoints,
        ProtocolCodecCache codecs,
        Ticker ticker,
        Consumer<NettyPeer> gone) {}
