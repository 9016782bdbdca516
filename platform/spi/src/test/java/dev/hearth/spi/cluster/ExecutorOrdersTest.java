package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildSpec;
import dev.hearth.spi.process.LaunchOptions;
import dev.hearth.spi.rpc.EndpointUri;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests what the launch orders of executors contain. */
class ExecutorOrdersTest {
    private static final ExecutorOrders ORDERS = new ExecutorOrders(
            new ExecutorId("7"),
            "h",
            2,
            EndpointUri.parse("hearth://driver-1@d:1").orElseThrow());
    private static final Map<String, String> TO_CONNECT = Map.of(
            "hearth.authenticate", "true",
            "hearth.authenticate.secret", "the-secret-of-the-application",
            "hearth.ssl.rpc.enabled", "true",
            "hearth.rpc.bindAddress", "0.0.0.0",
            "hearth.blockManager.port", "7100",
            "hearth.port.maxRetries", "3",
            "hearth.network.timeout", "5m",
            "hearth.local.dir", "/disk");

    @Test
    void holdOnlyWhatAnExecutorNeedsToConnect() {
        Map<String, String> settings = new TreeMap<>(TO_CONNECT);
        settings.put("hearth.store.password", "x");
        settings.put("hearth.executor.extraJavaOptions", "-Da=b");
        settings.put("hearth.task.maxFailures", "8");
        ChildSpec child = ORDERS.child(new ApplicationId("a"), settings, 512, Path.of("/w"));
        Map<String, String> expected = new TreeMap<>(TO_CONNECT);
        expected.putAll(ORDERS.asMap());
        assertEquals(expected, new TreeMap<>(child.orders()));
        assertEquals(new LaunchOptions(List.of("-Da=b"), "", Map.of()), child.options());
        assertEquals(ORDERS, ExecutorOrders.from(child.orders()));
    }
}
