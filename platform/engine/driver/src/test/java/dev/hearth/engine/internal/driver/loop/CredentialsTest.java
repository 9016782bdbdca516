package dev.hearth.engine.internal.driver.loop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.engine.internal.executor.CredentialSinks;
import dev.hearth.engine.internal.protocol.DriverProtocol;
import dev.hearth.engine.internal.protocol.DriverProtocol.Heartbeat;
import dev.hearth.engine.internal.protocol.DriverProtocol.Register;
import dev.hearth.engine.internal.protocol.DriverProtocol.Registration;
import dev.hearth.engine.internal.protocol.ExecutorProtocol;
import dev.hearth.engine.internal.protocol.ExecutorProtocol.UpdateCredential;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;
import dev.hearth.spi.rpc.RpcEndpoint;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.testkit.SimulatedProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Changes credentials while executors register, on slow connections that break. A broken rule reports its seed and time.
 */
class CredentialsTest {
    private static final Duration QUIET = Duration.ofMinutes(1);
    private static final List<String> KINDS = List.of("hdfs", "store", "log");
    private static final int STEPS = 80;

    private final Map<String, Integer> set = new TreeMap<>();
    private final List<Receiving> executors = new ArrayList<>();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 42})
    void eachConnectedExecutorHasTheLatestOfEachKindAndSeesNoneTwiceOrOutOfOrder(long seed) {
        DriverFixture scene = new DriverFixture(seed, Map.of());
        scene.simulation.network().delayUpTo(Duration.ofSeconds(3));
        EndpointUri driver = endpoint(scene);
        for (int step = 0; step < STEPS; step++) {
            int choice = scene.simulation.random().nextInt(10);
            if (choice < 5) {
                change(scene, KINDS.get(scene.simulation.random().nextInt(KINDS.size())), step);
            } else if (choice < 9) {
                executors.add(new Receiving(scene.simulation.process("executor-" + step), driver));
            } else if (!executors.isEmpty()) {
                Receiving victim = executors.get(scene.simulation.random().nextInt(executors.size()));
                scene.simulation.network().cut(scene.process, victim.process);
            }
            scene.run(Duration.ofMillis(scene.simulation.random().nextInt(1500)));
        }
        scene.run(QUIET);
        assertEquals(KINDS.size(), set.size(), "all kinds were set");
        long connected =
                executors.stream().filter(executor -> executor.connected).count();
        assertTrue(connected > 5 && connected < executors.size(), () -> connected + " of " + executors.size());
        for (Receiving executor : executors) {
            assertTrue(executor.broken.isEmpty(), executor.broken::toString);
            if (executor.connected) {
                assertEquals(set, executor.latest, executor.process.name());
            }
        }
    }

    @Test
    void refusesWhatHasNoBound() {
        DriverFixture scene = new DriverFixture(Map.of());
        assertRefused("credentials of kind ' ': no name", scene, " ", 1);
        assertRefused(
                "credentials of kind 'big': 1048577 bytes (expected: at most 1048576)", scene, "big", (1 << 20) + 1);
        for (int kind = 0; kind < 64; kind++) {
            change(scene, "kind-" + kind, kind);
        }
        change(scene, "kind-0", 100);
        assertRefused("credentials of kind 'more': there are 64 kinds already", scene, "more", 1);
    }

    private static void assertRefused(String expected, DriverFixture scene, String kind, int bytes) {
        CompletableFuture<Void> refusal = new CompletableFuture<>();
        scene.act(() -> {
            HearthException refused = assertThrows(
                    HearthException.class, () -> scene.services().credentials(kind, Bytes.owning(new byte[bytes])));
            assertTrue(String.valueOf(refused.getMessage()).startsWith(expected), refused::getMessage);
            refusal.complete(null);
        });
        assertTrue(refusal.isDone(), expected);
    }

    private void change(DriverFixture scene, String kind, int value) {
        set.put(kind, value);
        Bytes content = Bytes.owning(String.valueOf(value).getBytes(UTF_8));
        scene.driver.loop().execute(() -> scene.services().credentials(kind, content));
    }

    private static EndpointUri endpoint(DriverFixture scene) {
        CompletableFuture<EndpointUri> endpoint = new CompletableFuture<>();
        scene.act(() -> endpoint.complete(scene.services().driverEndpoint()));
        return endpoint.join();
    }

    /** Executor that registers and passes credentials to a service, which records the latest of each kind. */
    private static final class Receiving implements RpcEndpoint {
        private final SimulatedProcess process;
        private final CredentialSinks sinks = new CredentialSinks();
        private final Map<String, Integer> latest = new TreeMap<>();
        private final List<String> broken = new ArrayList<>();
        private boolean registered;
        private boolean connected;

        Receiving(SimulatedProcess process, EndpointUri driver) {
            this.process = process;
            sinks.add(
                    (kind, content) -> {
                        int value = Integer.parseInt(new String(content.toArray(), UTF_8));
                        Integer before = latest.put(kind, value);
                        if (before != null && before >= value) {
                            broken.add(kind + " " + value + " after " + before);
                        }
                    },
                    KINDS.toArray(String[]::new));
            RpcEnv rpc = process.env();
            rpc.register(ExecutorProtocol.ENDPOINT, ExecutorProtocol.PROTOCOL, process.loop("executor"), this);
            rpc.connect(driver.address()).whenComplete((peer, failure) -> {
                if (failure == null) {
                    connected = true;
                    register(peer, driver);
                }
            });
        }

        private void register(Peer peer, EndpointUri driver) {
            var ref = peer.endpoint(driver.endpoint(), DriverProtocol.PROTOCOL);
            ExecutorId self = new ExecutorId(process.name());
            ref.ask(new Register(self, "host", 1, "", List.of()), Registration.class, QUIET)
                    .whenComplete((answer, failure) -> {
                        if (failure == null && answer.refusal().isEmpty()) {
                            registered = true;
                            answer.credentials().forEach(sinks::update);
                            process.simulation().every(Duration.ofSeconds(10), () -> ref.send(new Heartbeat(self)));
                        }
                    });
        }

        @Override
        public void receive(Record message, RpcCall call) {
            if (message instanceof UpdateCredential update) {
                if (!registered) {
                    broken.add(update + " before the answer to the registration");
                }
                sinks.update(update);
            }
        }

        @Override
        public void peerLost(Peer peer, String reason) {
            connected = false;
        }
    }
}
