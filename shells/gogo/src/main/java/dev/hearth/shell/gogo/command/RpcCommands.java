package dev.hearth.shell.gogo.command;

import dev.hearth.shell.gogo.answer.CommandOutput;
import dev.hearth.shell.gogo.answer.OutputValue;
import dev.hearth.shell.gogo.answer.Table;
import dev.hearth.spi.metrics.MetricSource;
import dev.hearth.spi.rpc.RpcSnapshot;
import dev.hearth.spi.rpc.RpcSnapshot.EndpointState;
import dev.hearth.spi.rpc.RpcSnapshot.PeerState;
import dev.hearth.spi.rpc.RpcSnapshot.Refusals;
import dev.hearth.spi.rpc.RpcSnapshot.ScopeState;
import dev.hearth.spi.rpc.RpcStatus;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Descriptor;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;

/** Command that shows the state of the RPC environments of this process. Created for each call. */
@Component(
        service = RpcCommands.class,
        property = {
            CommandProcessor.COMMAND_SCOPE + "=" + CommandCall.SCOPE,
            CommandCall.TOPIC + "=Process",
            CommandProcessor.COMMAND_FUNCTION + "=rpc"
        })
public final class RpcCommands {
    private static final String NONE = "no message system is open in this process";
    private static final long KIBIBYTE = 1024;

    private final List<RpcStatus> envs = new CopyOnWriteArrayList<>();
    private final List<MetricSource> meters = new CopyOnWriteArrayList<>();

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addEnv(RpcStatus env) {
        envs.add(env);
    }

    void removeEnv(RpcStatus env) {
        envs.remove(env);
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    void addMeter(MetricSource meter) {
        meters.add(meter);
    }

    void removeMeter(MetricSource meter) {
        meters.remove(meter);
    }

    @Descriptor("""
            Shows connections, scopes, endpoints and queues.
            rpc [peers|scopes|endpoints|refusals|metrics] [--json]
            Example: rpc endpoints""")
    public void rpc(CommandSession session, String[] arguments) {
        CommandCall call = CommandCall.of(session, "rpc", arguments, 1);
        String what = call.word(0).orElse("peers");
        Function<List<RpcSnapshot>, CommandOutput> view = switch (what) {
            case "peers" -> RpcCommands::peers;
            case "scopes" -> RpcCommands::scopes;
            case "endpoints" -> RpcCommands::endpoints;
            case "refusals" -> RpcCommands::refusals;
            case "metrics" -> open -> metrics();
            default ->
                throw call.misused(
                        "table '" + what + "' (expected: peers, scopes, endpoints, refusals or" + " metrics)");
        };
        call.answer(view.apply(envs.stream().map(RpcStatus::snapshot).toList()));
    }

    private static Table peers(List<RpcSnapshot> open) {
        Table.Builder table = Table.of(
                "id",
                "lane",
                "scope",
                "remote",
                "security",
                "age",
                "idle",
                "asks",
                "queued",
                "sent",
                "received",
                "bytesOut",
                "bytesIn");
        for (RpcSnapshot env : open) {
            for (PeerState peer : env.peers()) {
                OutputValue asks = OutputValue.of(peer.asksUnderWay());
                table.row(
                        OutputValue.of(peer.id()),
                        OutputValue.of(peer.lane().name().toLowerCase(Locale.ROOT)),
                        OutputValue.of(peer.scope()),
                        OutputValue.of(peer.remote()),
                        OutputValue.of(peer.security()),
                        millis(peer.ageMillis()),
                        millis(peer.idleMillis()),
                        peer.paused()
                                ? asks.shownAs(peer.asksUnderWay() + " (paused)")
                                        .bad()
                                : asks,
                        bytes(peer.bytesQueued()),
                        OutputValue.of(peer.messagesSent()),
                        OutputValue.of(peer.messagesReceived()),
                        bytes(peer.bytesSent()),
                        bytes(peer.bytesReceived()));
            }
        }
        return table.build(open.isEmpty() ? NONE : "no connection");
    }

    private static Table scopes(List<RpcSnapshot> open) {
        Table.Builder table = Table.of("address", "scope", "secret", "endpoints", "streams");
        for (RpcSnapshot env : open) {
            for (ScopeState scope : env.scopes()) {
                table.row(
                        OutputValue.of(env.address())
                                .shownAs(env.address().isEmpty() ? "does not listen" : env.address()),
                        OutputValue.of(scope.name()),
                        OutputValue.of(scope.ownSecret()),
                        OutputValue.of(scope.endpoints().stream()
                                .map(EndpointState::name)
                                .toList()),
                        OutputValue.of(scope.streams()));
            }
        }
        return table.build(NONE);
    }

    private static Table endpoints(List<RpcSnapshot> open) {
        Table.Builder table = Table.of("address", "scope", "endpoint", "runs", "waiting", "handled", "failed");
        for (RpcSnapshot env : open) {
            for (ScopeState scope : env.scopes()) {
                for (EndpointState endpoint : scope.endpoints()) {
                    OutputValue failed = OutputValue.of(endpoint.failed());
                    table.row(
                            OutputValue.of(env.address()),
                            OutputValue.of(scope.name()),
                            OutputValue.of(endpoint.name()),
                            OutputValue.of(endpoint.dispatch()),
                            OutputValue.of(endpoint.waiting()),
                            OutputValue.of(endpoint.handled()),
                            endpoint.failed() == 0 ? failed : failed.bad());
                }
            }
        }
        return table.build(open.isEmpty() ? NONE : "no endpoint");
    }

    private static Table refusals(List<RpcSnapshot> open) {
        Table.Builder table = Table.of(
                "address", "inHandshake", "foreign", "tooMany", "timedOut", "notAuthenticated", "unknownScope");
        for (RpcSnapshot env : open) {
            Refusals refusals = env.refusals();
            table.row(
                    OutputValue.of(env.address()),
                    OutputValue.of(refusals.inHandshake()),
                    OutputValue.of(refusals.foreign()),
                    OutputValue.of(refusals.tooMany()),
                    OutputValue.of(refusals.timedOut()),
                    OutputValue.of(refusals.notAuthenticated()),
                    OutputValue.of(refusals.unknownScope()));
        }
        return table.build(NONE);
    }

    private Table metrics() {
        Table.Builder table = Table.of("metric", "labels", "value");
        for (MetricSource meter : meters) {
            for (MetricSource.Sample sample : meter.samples()) {
                if (sample.name().startsWith("rpc.")) {
                    table.row(
                            OutputValue.of(sample.name()),
                            OutputValue.of(sample.labels()),
                            OutputValue.of(Math.round(sample.value())));
                }
            }
        }
        return table.build(NONE);
    }

    private static OutputValue millis(long millis) {
        OutputValue value = OutputValue.of(millis);
        return millis < 10_000 ? value.shownAs(millis + "ms") : value.shownAs(millis / 1000 + "s");
    }

    private static OutputValue bytes(long bytes) {
        OutputValue value = OutputValue.of(bytes);
        if (bytes < 10 * KIBIBYTE) {
            return value;
        }
        long kibibytes = bytes / KIBIBYTE;
        return value.shownAs(kibibytes < 10 * KIBIBYTE ? kibibytes + "k" : kibibytes / KIBIBYTE + "m");
    }
}
