package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.net.RpcAddress;
import io.netty.channel.Channel;
import java.util.concurrent.CompletionStage;

/**
 * Opens bulk connections of one scope (the namespace of one application). An opened connection has completed its
 * handshake and is ready for requests.
 */
public interface BulkConnector {
    CompletionStage<Channel> open(RpcAddress address);
}
