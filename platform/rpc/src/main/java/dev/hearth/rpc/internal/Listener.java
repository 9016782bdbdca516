package dev.hearth.rpc.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listening port of an env: connections come in, bounded in number until their handshake is done. */
@SuppressWarnings("FutureReturnValueIgnored") // failed writes and closes come back as events of the channel
final class Listener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final int HANDSHAKES_MAX = 1_024;
    private static final int BACKLOG_CONNECTIONS_MAX = 1_024;
    private static final long BIND_SECONDS_MAX = 10;

    private final Channel channel;
    private final RpcAddress address;

    private Listener(Channel channel, RpcAddress address) {
        this.channel = channel;
        this.address = address;
    }

    static Listener open(
            EventLoopGroup group,
            RpcSettings.Listen where,
            RpcSettings settings,
            Preamble preamble,
            Connector.PeerOpener opener) {
        InetSocketAddress wanted = new InetSocketAddress(where.bindHost(), where.port());
        if (wanted.isUnresolved()) {
            throw ErrorCode.BAD_SETTING.failure(
                    "hearth.rpc.host: " + where.bindHost() + " (expected: a name or address of this machine)");
        }
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, BACKLOG_CONNECTIONS_MAX)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childHandler(new Acceptor(settings, preamble, opener))
                .bind(wanted);
        if (!bound.awaitUninterruptibly(BIND_SECONDS_MAX, TimeUnit.SECONDS)) {
            throw ErrorCode.START_FAILED.failure(where.bindHost() + ":" + where.port() + ": not bound within "
                    + BIND_SECONDS_MAX + " s (expected: a port to listen on)");
        }
        if (!bound.isSuccess()) {
            throw refusal(where, bound.cause());
        }
        int port = ((InetSocketAddress) bound.channel().localAddress()).getPort();
        return new Listener(bound.channel(), new RpcAddress(where.advertisedHost(), port));
    }

    RpcAddress address() {
        return address;
    }

    @Override
    public void close() {
        channel.close();
    }

    private static HearthException refusal(RpcSettings.Listen where, Throwable cause) {
        String subject = where.bindHost() + ":" + where.port() + ": ";
        boolean taken = cause instanceof BindException
                && String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT).contains("in use");
        return taken
                ? ErrorCode.PORT_IN_USE.failure(
                        subject + "another process listens there (expected: a free port);"
                                + " stop it, or choose another port, 0 for any free one",
                        cause)
                : ErrorCode.START_FAILED.failure(
                        subject + "cannot listen there, " + cause.getMessage()
                                + " (expected: an address of this machine and a port we may take)",
                        cause);
    }

    /** Begins the handshake of every connection that comes in. Shared by all of them; any I/O thread calls. */
    private static final class Acceptor extends ChannelInitializer<SocketChannel> {
        private final RpcSettings settings;
        private final Preamble preamble;
        private final Connector.PeerOpener opener;
        private final AtomicInteger handshakes = new AtomicInteger();

        Acceptor(RpcSettings settings, Preamble preamble, Connector.PeerOpener opener) {
            this.settings = settings;
            this.preamble = preamble;
            this.opener = opener;
        }

        @Override
        protected void initChannel(SocketChannel accepted) {
            InetSocketAddress from = accepted.remoteAddress();
            String remote = from == null
                    ? "a process that is gone already"
                    : new RpcAddress(from.getAddress().getHostAddress(), from.getPort()).toString();
            if (handshakes.incrementAndGet() > HANDSHAKES_MAX) {
                handshakes.decrementAndGet();
                LOG.warn(
                        "{}: refused, {} connections have not said who they are (expected: fewer)",
                        remote,
                        HANDSHAKES_MAX);
                accepted.close();
                return;
            }
            accepted.pipeline()
                    .addLast(new HandshakeHandler(
                            HandshakeHandler.Side.ACCEPTING,
                            preamble,
                            settings.times().handshake(),
                            remote,
                            new HandshakeHandler.Outcome() {
                                @Override
                                public NettyPeer agreed(Channel channel, int version) {
                                    handshakes.decrementAndGet();
                                    return opener.open(channel, remote);
                                }

                                @Override
                                public void refused(HearthException failure) {
                                    handshakes.decrementAndGet();
                                    LOG.warn("Refused a connection: {}", failure.getMessage());
                                }
                            }));
        }
    }
}
