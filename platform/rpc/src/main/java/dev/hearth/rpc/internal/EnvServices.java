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

/** What the scopes of one env share; {@code closed} is told of each that is closed, and
 * {@code bulk} is made when it is first wanted. */
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
        Consumer<NettyScope> closed) {}
