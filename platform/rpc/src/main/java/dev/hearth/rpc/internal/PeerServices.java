package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import java.util.function.Consumer;

/** What the peers of one scope share; {@code gone} is told of each that is lost. */
record PeerServices(
        RpcSettings settings,
        String scope,
        EndpointRegistry endpoints,
        ProtocolCodecCache codecs,
        Ticker ticker,
        Consumer<NettyPeer> gone) {}
