package dev.hearth.standalone.internal.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shuffle.ShuffleService;
import dev.hearth.spi.shuffle.ShuffleServiceOrders;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchExecutor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Orders of executors about the shuffle service of their worker. */
class ServedExecutorsTest {
    private static final WorkerSpec.Children CHILDREN = WorkerSpec.Children.DEFAULTS;
    private static final String ENABLED = "hearth.shuffle.service.enabled";
    private static final String SECRET = "a secret of the application";
    private static final ShuffleServiceOrders ORDERS = new ShuffleServiceOrders(
            ShuffleServiceOrders.holderOf("worker-1"), new RpcAddress("host", 7078), "scope", List.of(Path.of("/d")));

    private static final ChildSpec CHILD =
            new ChildSpec("executor", List.of(), Map.of("other", "kept"), Path.of("/w/app-1/0"));

    private final List<Optional<Secret>> secrets = new ArrayList<>();
    private final ServedExecutors served = new ServedExecutors(Optional.of(new Recording()));

    private final class Recording implements ShuffleService {
        @Override
        public ShuffleServiceOrders admit(ApplicationId application, String driver, Optional<Secret> secret) {
            secrets.add(secret);
            return ORDERS;
        }

        @Override
        public void close() {}
    }

    private static LaunchExecutor order(Map<String, String> settings) {
        return new LaunchExecutor(
                new ApplicationId("app-1"),
                new ExecutorId("0"),
                1,
                512,
                "hearth://driver-1@host:1",
                settings,
                List.of(),
                7);
    }

    private ChildSpec prepared(Map<String, String> settings) {
        LaunchExecutor order = served.checked(order(settings));
        return served.prepared(CHILD, order, CHILDREN);
    }

    private static Optional<ShuffleServiceOrders> found(ChildSpec child) {
        return ShuffleServiceOrders.find(Settings.empty().with("orders", child.orders()));
    }

    @Test
    void ordersAnExecutorToHandItsMapOutputsOver() {
        ChildSpec child = prepared(Map.of(ENABLED, "true"));
        assertEquals(Optional.of(ORDERS), found(child));
        assertEquals("kept", child.orders().get("other"));
        assertEquals(List.of(Optional.empty()), secrets);
    }

    @Test
    void servesWithTheSecretOfTheApplication() {
        prepared(Map.of(ENABLED, "true", "hearth.authenticate", "true", "hearth.authenticate.secret", SECRET));
        assertEquals(List.of(Optional.of(Secret.of(SECRET))), secrets);
    }

    @Test
    void leavesExecutorsAloneThatKeepTheirOutputs() {
        LaunchExecutor order = order(Map.of());
        assertSame(order, served.checked(order));
        assertSame(CHILD, prepared(Map.of()));
        assertSame(CHILD, prepared(Map.of(ENABLED, "false")));
        assertEquals(List.of(), secrets);
    }

    @Test
    void removesWhatAnApplicationClaimsAndKeepsTheRest() {
        LaunchExecutor order = served.checked(order(ORDERS.asSettings()));
        assertEquals(order(Map.of()), order);
    }

    @Test
    void refusesExecutorsIfThereIsNoService() {
        LaunchExecutor order = order(Map.of(ENABLED, "true"));
        HearthException refusal = assertThrows(HearthException.class, () -> ServedExecutors.NONE.checked(order));
        assertEquals("BAD_SETTING", refusal.code());
        assertTrue(String.valueOf(refusal.getMessage()).contains("this worker has no shuffle service"));
    }
}
