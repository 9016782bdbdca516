package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.rpc.internal.security.ChannelSecurity;
import dev.hearth.rpc.internal.security.RefusalLog;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.time.Ticker;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins every connection that comes in, within the bounds on their number. One per env; any I/O thread calls. */
@SuppressWarnings("FutureReturnValueIgnored") // failed closes come back as events of the channel
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

    /** How long a connection may take until it has said, and proved, who it is. */
    Duration bound() {
        return settings.times().handshake();
    }

    /** What is left of that for a connection that arrived at {@code arrivedNanos}. */
    Duration left(long arrivedNanos) {
        Duration left = bound().minusNanos(ticker.nanos() - arrivedNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** Whether HTTP is answered that nothing protects. */
    boolean takesPlainHttp() {
        return !security.encrypts() || settings.security().httpAnonymous();
    }

    ServerHandshake handshake(Channel channel, String remote, long arrivedNanos) {
        return new ServerHandshake(channel, remote, bound(), left(arrivedNanos), preamble, lanes, security, this);
    }

    @Override
    protected void initChannel(Channel channel) {
        String remote = channel.remoteAddress() instanceof InetSocketAddress from
                ? new RpcAddress(from.getAddress().getHostAddress(), from.getPort()).toString()
                : "a process that is gone already";
        if (!connections.enter(channel)) {
            log.refused(remote + ": one too many (expected: at most "
                    + settings.limits().connectionsMax() + " connections); see hearth.rpc.connectionsMax");
            channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> connections.closed(channel));
        channel.pipeline().addLast("first-bytes", new ProtocolDetector(this, remote, ticker.nanos(), false));
    }

    @Override
    public void accepted(EstablishedConnection connection) {
        connections.handshakeEnded(connection.channel());
        lanes.accepted(connection);
    }

    @Override
    public void refused(Channel channel, HearthException failure, ConnectionLimiter.Refusal reason) {
        connections.handshakeEnded(channel); // not only when it is closed, which the other side may notice before us
        connections.refused(reason);
        if (reason == ConnectionLimiter.Refusal.BROKEN) {
            LOG.debug("A connection came to nothing: {}", failure.getMessage());
        } else {
            log.refused(String.valueOf(failure.getMessage()));
        }
    }
}
