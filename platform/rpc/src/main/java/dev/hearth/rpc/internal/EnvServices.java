package dev.hearth.rpc.internal;

import dev.hearth.rpc.internal.bulk.BulkLane;
import dev.hearth.rpc.internal.connect.Connector;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.EventLoopGroup;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Collaborators shared by the scopes of one RPC environment; a scope is the namespace of one application.
 * {@code closed} is called with each closed scope. {@code bulk}, which transfers bulk data, is created lazily; {@code demand}
 * starts bundles whose endpoints are missing.
 */
record EnvServices(
        RpcSettings settings,
        EventLoopGroup group,
        Connector connector,
        Supplier<BulkLane> bulk,
        ProtocolCodecCache codecs,
        Ticker ticker,
        Executor shared,
        AtomicLong peersMade,
        Supplier<Optional<RpcAddress>> address,
        Consumer<NettyScope> closed,
        EndpointDemand demand) {}
