package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Addresses of masters in a URL such as {@code hearth://h1:7077,h2:7077}. */
public final class MasterAddresses {
    private MasterAddresses() {}

    public static List<RpcAddress> parse(MasterUrl url) {
        List<RpcAddress> addresses = new ArrayList<>();
        for (String part : url.rest().split(",", -1)) {
            addresses.add(RpcAddress.parse(part.trim())
                    .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                            "master URL " + url + ": '" + part + "' (expected: hearth://host:port[,host:port])")));
        }
        return addresses;
    }

    /** Connection to a master, with the address of the master. */
    record Reached(RpcAddress address, Peer peer) {}

    /** Connects to the first master that answers. If none answers, fails with the failure of the last one. */
    static CompletionStage<Peer> connect(RpcEnv rpc, List<RpcAddress> masters) {
        return reach(rpc, masters).thenApply(Reached::peer);
    }

    /** As {@link #connect}, with the address of the master that answered. */
    static CompletionStage<Reached> reach(RpcEnv rpc, List<RpcAddress> masters) {
        return rpc.connect(masters.get(0))
                .handle((peer, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(new Reached(masters.get(0), peer));
                    }
                    if (masters.size() == 1) {
                        return CompletableFuture.<Reached>failedStage(unreachable(failure));
                    }
                    return reach(rpc, masters.subList(1, masters.size()));
                })
                .thenCompose(stage -> stage);
    }

    private static Throwable unreachable(Throwable failure) {
        Throwable inner = failure instanceof CompletionException ? failure.getCause() : failure;
        return ErrorCode.CLUSTER_UNREACHABLE.failure("master " + inner.getMessage(), inner);
    }
}
