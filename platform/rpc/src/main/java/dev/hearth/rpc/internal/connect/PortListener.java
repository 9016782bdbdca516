package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listening port of an RPC environment. If the configured port is in use, it tries the next ports, as often as the
 * settings allow.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
public final class PortListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PortListener.class);
    private static final int BACKLOG_CONNECTIONS_MAX = 1_024;
    private static final int PORT_MAX = 65_535;
    private static final long BIND_SECONDS_MAX = 10;

    private final Channel channel;
    private final RpcAddress address;

    private PortListener(Channel channel, RpcAddress address) {
        this.channel = channel;
        this.address = address;
    }

    /**
     * Opens the port that {@code settings} name. Passes accepted connections after their handshake to {@code lanes},
     * which assigns each to a scope and to messages, bulk data or HTTP.
     */
    public static PortListener open(
            EventLoopGroup group,
            RpcSettings settings,
            Preamble preamble,
            LaneRouter lanes,
            ConnectionLimiter connections,
            ChannelSecurity security,
            Ticker ticker) {
        RpcSettings.Listen where = settings.listen().orElseThrow();
        InetSocketAddress wanted = new InetSocketAddress(where.bindHost(), where.port());
        if (wanted.isUnresolved()) {
            throw ErrorCode.BAD_SETTING.failure(
                    "address to listen on: " + where.bindHost() + " (expected: a name or address of this machine)");
        }
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG_CONNECTIONS_MAX)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new ConnectionAcceptor(settings, preamble, lanes, connections, security, ticker));
        int last = where.port() == 0 ? 0 : Math.min(PORT_MAX, where.port() + where.portRetries());
        for (int port = where.port(); ; port++) {
            ChannelFuture bound = bootstrap.bind(new InetSocketAddress(wanted.getAddress(), port));
            if (!bound.awaitUninterruptibly(BIND_SECONDS_MAX, TimeUnit.SECONDS)) {
                throw ErrorCode.START_FAILED.failure(where.bindHost() + ":" + port + ": not bound within "
                        + BIND_SECONDS_MAX + " s (expected: a port to listen on)");
            }
            if (bound.isSuccess()) {
                int found = ((InetSocketAddress) bound.channel().localAddress()).getPort();
                return new PortListener(bound.channel(), new RpcAddress(where.advertisedHost(), found));
            }
            if (!isTaken(bound.cause()) || port >= last) {
                throw refusal(where, port, bound.cause());
            }
            LOG.info("{}:{}: another process listens there, trying the next port", where.bindHost(), port);
        }
    }

    public RpcAddress address() {
        return address;
    }

    @Override
    public void close() {
        channel.close();
    }

    private static boolean isTaken(Throwable cause) {
        return cause instanceof BindException
                && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("in use");
    }

    private static HearthException refusal(RpcSettings.Listen where, int port, Throwable cause) {
        String subject = where.bindHost() + ":" + port + ": ";
        String tried = port == where.port() ? "" : ", and on all from " + where.port() + " on";
        return isTaken(cause)
                ? ErrorCode.PORT_IN_USE.failure(
                        subject + "another process listens there" + tried + " (expected: a free port);"
                                + " stop it, or choose another port, 0 for any free one",
                        cause)
                : ErrorCode.START_FAILED.failure(
                        subject + "this process cannot listen there, " + cause.getMessage()
                                + " (expected: an address of this machine and a port that this process may use)",
                        cause);
    }
}
