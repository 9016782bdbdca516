package dev.hearth.rpc.internal.bulk;

import dev.hearth.spi.net.RpcAddress;
import io.netty.channel.Channel;
import java.util.concurrent.CompletionStage;

/**
 * Opens bulk connections of one scope (the namespace of one application). The remote process then waits for requests.
 */
public interface BulkConnector {
    CompletionStage<Channel> open(RpcAddress address);
}
