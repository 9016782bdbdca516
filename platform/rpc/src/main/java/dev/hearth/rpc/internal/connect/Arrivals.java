package dev.hearth.rpc.internal.connect;

import dev.hearth.api.HearthException;
import dev.hearth.spi.rpc.RpcAddress;
import dev.hearth.spi.rpc.RpcSettings;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Begins every connection that comes in, within the bounds on their number. One per env; any I/O thread calls. */
final class Arrivals extends ChannelInitializer<Channel> implements AcceptingHandshake.Outcome {
    private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

    private final RpcSettings settings;
    private final Preamble preamble;
    private final Lanes lanes;
    private final Connections connections;

    Arrivals(RpcSettings settings, Preamble preamble, Lanes lanes, Connections connections) {
        this.settings = settings;
        this.preamble = preamble;
        this.lanes = lanes;
        this.connections = connections;
    }

    RpcSettings settings() {
        return settings;
    }

    AcceptingHandshake handshake(String remote) {
        return new AcceptingHandshake(remote, settings.times().handshake(), preamble, lanes, this);
    }

    @Override
    protected void initChannel(Channel channel) {
        String remote = channel.remoteAddress() instanceof InetSocketAddress from
                ? new RpcAddress(from.getAddress().getHostAddress(), from.getPort()).toString()
                : "a process that is gone already";
        if (!connections.enter()) {
            LOG.warn(
                    "{}: refused (expected: at most {} connections, {} of them in their handshake);"
                            + " see hearth.rpc.connectionsMax and hearth.rpc.handshakesMax",
                    remote,
                    settings.limits().connectionsMax(),
                    settings.limits().handshakesMax());
            channel.close();
            return;
        }
        channel.closeFuture().addListener(closed -> connections.closed());
        channel.pipeline().addLast("first-bytes", new FirstBytes(this, remote));
    }

    @Override
    public void accepted(Established connection) {
        connections.handshakeEnded();
        lanes.accepted(connection);
    }

    @Override
    public void refused(HearthException failure, Connections.Refusal reason) {
        connections.handshakeEnded();
        connections.refused(reason);
        if (reason == Connections.Refusal.BROKEN) {
            LOG.debug("A connection came to nothing: {}", failure.getMessage());
        } else {
            LOG.warn("Refused a connection: {}", failure.getMessage());
        }
    }
}
