package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.rpc.internal.security.RefusalLog;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts the handshake of every accepted connection, unless there are too many connections. Each RPC environment has
 * one acceptor; any I/O thread may call it.
 */
@SuppressWarnings("FutureReturnValueIgnored") // futures are ignored: a failed close is also a channel event
final class ConnectionAcceptor extends ChannelInitializer<Channel> implements ServerHandshake.Outcome {
    private static final Logger LOG = LoggerFactory.getLogger(ConnectionAcceptor.class);

    private final RpcSettings settings;
    private final Preamble preamble;
    private final LaneRouter lanes;
    private final ConnectionLimiter connections;
    private final ChannelSecurity security;
    private final Ticker ticker;
    private final RefusalLog log;

    ConnectionAcceptor(
            RpcSettings settings,
            Preamble preamble,
            LaneRouter lanes,
            ConnectionLimiter connections,
            ChannelSecurity security,
            Ticker ticker) {
        this.settings = settings;
        this.preamble = preamble;
        this.lanes = lanes;
        this.connections = connections;
        this.security = security;
        this.ticker = ticker;
        this.log = new RefusalLog(LOG::warn, ticker);
    }

    ChannelSecurity security() {
        return security;
    }

    /** Returns the time limit for the whole handshake, from the accepted connection to the end of the mutual proof. */
    Duration bound() {
        return settings.times().handshake();
    }

    /** Remaining handshake time of a connection that was accepted at {@code arrivedNanos}. */
    Duration left(long arrivedNanos) {
        Duration left = bound().minusNanos(ticker.nanos() - arrivedNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /**
     * Whether requests over HTTP without TLS are served. They are not if all connections are encrypted, unless
     * anonymous HTTP is allowed or the port has a gate.
     */
    boolean takesPlainHttp() {
        return !security.encrypts()
                || settings.security().httpAnonymous()
                || settings.trust().gate().isPresent();
    }

    ServerHandshake handshake(Channel channel, String remote, long arrivedNanos) {
        return new ServerHandshake(channel, remote, bound(), left(arrivedNanos), preamble, lanes, security, this);
    }

    @Override
    protected void initChannel(Channel channel) {
        String remote = channel.remoteAddress() instanceof InetSocketAddress from
                ? new RpcAddress(from.getAddress().getHostAddress(), from.getPort()).toString()
                : "a process that has disconnected";
        if (!connections.enter(channel)) {
            log.refused(remote + ": too many connections (expected: at most "
                    + connections.connectionsMax()
                    + "); see hearth.rpc.connectionsMax and the limit of open files, ulimit -n");
            channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> connections.closed(channel));
        channel.pipeline().addLast("first-bytes", new ProtocolDetector(this, remote, ticker.nanos(), false));
    }

    @Override
    public void accepted(EstablishedConnection connection) {
        if (connection.lane() == RpcSnapshot.Lane.HTTP) {
            connections.isHttp(connection.channel());
        } else {
            connections.authenticated(connection.channel());
        }
        lanes.accepted(connection);
    }

    @Override
    public void refused(Channel channel, HearthException failure, ConnectionLimiter.Refusal reason) {
        connections.handshakeFailed(channel); // at once, not on close, which the other side may notice earlier
        connections.refused(reason);
        if (reason == ConnectionLimiter.Refusal.BROKEN) {
            LOG.debug("A connection ended in its handshake: {}", failure.getMessage());
        } else {
            log.refused(String.valueOf(failure.getMessage()));
        }
    }
}
