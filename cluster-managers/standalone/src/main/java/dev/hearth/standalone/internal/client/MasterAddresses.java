package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindLeader;
import dev.hearth.standalone.internal.protocol.MasterProtocol.LeaderFound;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Addresses of masters in a URL such as {@code hearth://h1:7077,h2:7077}. */
public final class MasterAddresses {
    /** Time in which a master answers whether it leads. */
    private static final Duration LEADER_TIMEOUT = Duration.ofSeconds(5);

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

    /** Connects to the master that leads. If none does, fails with the reasons of all. */
    static CompletionStage<Peer> connect(RpcEnv rpc, List<RpcAddress> masters) {
        return reach(rpc, masters).thenApply(Reached::peer);
    }

    /** As {@link #connect}, with the address of the master. */
    static CompletionStage<Reached> reach(RpcEnv rpc, List<RpcAddress> masters) {
        return reach(rpc, masters, 0, List.of());
    }

    /** Tries the masters from number {@code index} on; those before it have failed for {@code reasons}. */
    private static CompletionStage<Reached> reach(
            RpcEnv rpc, List<RpcAddress> masters, int index, List<String> reasons) {
        RpcAddress address = masters.get(index);
        CompletionStage<Peer> found = rpc.connect(address);
        return (masters.size() == 1 ? found : found.thenCompose(MasterAddresses::ifItLeads))
                .handle((peer, failure) -> {
                    if (failure == null) {
                        return CompletableFuture.completedStage(new Reached(address, peer));
                    }
                    Throwable inner = Failures.unwrap(failure);
                    List<String> all = new ArrayList<>(reasons);
                    all.add("master " + inner.getMessage());
                    return index + 1 < masters.size()
                            ? reach(rpc, masters, index + 1, all)
                            : CompletableFuture.<Reached>failedStage(
                                    ErrorCode.CLUSTER_UNREACHABLE.failure(String.join("; ", all), inner));
                })
                .thenCompose(stage -> stage);
    }

    /** Returns the connection if its master leads, and closes it otherwise. */
    private static CompletionStage<Peer> ifItLeads(Peer peer) {
        return MasterConnection.endpointOf(peer)
                .ask(new FindLeader(), LeaderFound.class, LEADER_TIMEOUT)
                .handle((answer, failure) -> {
                    if (failure == null
                            || Failures.code(failure) == ErrorCode.MALFORMED_MESSAGE) { // of an older release
                        return CompletableFuture.completedStage(peer);
                    }
                    peer.close();
                    return CompletableFuture.<Peer>failedStage(failure);
                })
                .thenCompose(stage -> stage);
    }
}
