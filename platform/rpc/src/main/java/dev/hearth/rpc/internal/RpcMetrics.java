package dev.hearth.rpc.internal;

import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.RpcSnapshot.EndpointState;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import dev.hearth.spi.rpc.RpcSnapshot.ScopeState;
import dev.hearth.spi.rpc.RpcStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Metrics of one RPC environment: its traffic per scope (application) and kind of connection, its endpoints, and
 * refused connections. Each read takes a new snapshot.
 */
final class RpcMetrics implements MetricSource {
    private final RpcStatus env;

    RpcMetrics(RpcStatus env) {
        this.env = env;
    }

    @Override
    public List<Sample> samples() {
        RpcSnapshot now = env.snapshot();
        List<Sample> samples = new ArrayList<>();
        Map<Map<String, String>, List<PeerState>> groups =
                now.peers().stream().collect(Collectors.groupingBy(peer -> labels(now, peer)));
        groups.forEach((labels, peers) -> {
            samples.add(Sample.gauge("rpc.peers", labels, peers.size()));
            samples.add(Sample.gauge("rpc.asks.underWay", labels, sum(peers, PeerState::asksUnderWay)));
            samples.add(Sample.gauge("rpc.bytes.queued", labels, sum(peers, PeerState::bytesQueued)));
            samples.add(Sample.gauge("rpc.peers.paused", labels, sum(peers, peer -> peer.paused() ? 1 : 0)));
            samples.add(Sample.gauge("rpc.open.messages.sent", labels, sum(peers, PeerState::messagesSent)));
            samples.add(Sample.gauge("rpc.open.messages.received", labels, sum(peers, PeerState::messagesReceived)));
            samples.add(Sample.gauge("rpc.open.bytes.sent", labels, sum(peers, PeerState::bytesSent)));
            samples.add(Sample.gauge("rpc.open.bytes.received", labels, sum(peers, PeerState::bytesReceived)));
        });
        for (ScopeState scope : now.scopes()) {
            for (EndpointState endpoint : scope.endpoints()) {
                Map<String, String> labels =
                        Map.of("address", now.address(), "scope", scope.name(), "endpoint", endpoint.name());
                samples.add(Sample.gauge("rpc.endpoint.waiting", labels, endpoint.waiting()));
                samples.add(Sample.counter("rpc.endpoint.handled", labels, endpoint.handled()));
                samples.add(Sample.counter("rpc.endpoint.failed", labels, endpoint.failed()));
            }
        }
        refusals(now, samples);
        return samples;
    }

    private static void refusals(RpcSnapshot now, List<Sample> samples) {
        Refusals refusals = now.refusals();
        samples.add(Sample.gauge("rpc.handshakes", Map.of("address", now.address()), refusals.inHandshake()));
        refused(now, samples, "foreign", refusals.foreign());
        refused(now, samples, "tooMany", refusals.tooMany());
        refused(now, samples, "timedOut", refusals.timedOut());
        refused(now, samples, "notAuthenticated", refusals.notAuthenticated());
        refused(now, samples, "unknownScope", refusals.unknownScope());
    }

    private static void refused(RpcSnapshot now, List<Sample> samples, String reason, long count) {
        samples.add(
                Sample.counter("rpc.connections.refused", Map.of("address", now.address(), "reason", reason), count));
    }

    private static Map<String, String> labels(RpcSnapshot now, PeerState peer) {
        return Map.of(
                "address",
                now.address(),
                "scope",
                peer.scope(),
                "lane",
                peer.lane().name().toLowerCase(Locale.ROOT));
    }

    private static double sum(List<PeerState> peers, ToDoubleFunction<PeerState> number) {
        return peers.stream().mapToDouble(number).sum();
    }
}
