package dev.hearth.engine.internal.executor;

import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeAnswer;
import dev.hearth.engine.internal.protocol.DriverProtocol.CodeQuestion;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.Stop;
import dev.hearth.spi.cluster.ExecutorOrders;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Receiver;
import dev.hearth.spi.rpc.RpcEnv;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Driver of an application without code or tasks: it accepts one executor and stops it. A process that waits for its
 * launch orders runs an executor with it, in order to load and initialise the classes that a real executor needs.
 */
final class RehearsalDriver {
    private static final String NAME = "rehearsal";
    private static final String HOST = "127.0.0.1";
    private static final long HEARTBEAT_MILLIS = Duration.ofMinutes(1).toMillis();

    private final EndpointUri endpoint;

    /** Starts the driver as an endpoint of {@code rpc}, which listens. */
    RehearsalDriver(RpcEnv rpc, EventLoop loop) {
        endpoint = new EndpointUri(NAME, rpc.address().orElseThrow());
        rpc.register(NAME, DriverProtocol.PROTOCOL, loop, receiver());
    }

    private static Receiver receiver() {
        return Receiver.of(NAME)
                .answer(CodeQuestion.class, (question, peer) -> new CodeAnswer(NAME, List.of(), Map.of(), List.of()))
                .answer(
                        Register.class,
                        (executor, peer) ->
                                new Registration("", NAME, List.of(), Map.of(), HEARTBEAT_MILLIS, List.of()))
                .on(
                        Heartbeat.class,
                        (executor, peer) -> peer.endpoint(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL)
                                .send(new Stop("the rehearsal is over")))
                .build();
    }

    /** The launch orders of the executor that this driver accepts. */
    ExecutorOrders orders() {
        return new ExecutorOrders(new ExecutorId(NAME), HOST, 1, endpoint);
    }
}
