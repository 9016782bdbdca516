package dev.hearth.spi.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Launch orders of executors and drivers as key-value pairs. */
class OrdersOfRolesTest {
    private static final EndpointUri DRIVER =
            EndpointUri.parse("hearth://driver-1@h:1").orElseThrow();

    @Test
    void tellAnExecutorItsAddressApartFromItsHost() {
        ExecutorOrders orders = new ExecutorOrders(new ExecutorId("7"), "node-1", 2, DRIVER, "fd00::7");
        assertEquals(orders, ExecutorOrders.from(orders.asMap()));
    }

    @Test
    void takeTheHostForTheAddressThatIsMissing() {
        ExecutorOrders orders = new ExecutorOrders(new ExecutorId("7"), "node-1", 2, DRIVER);
        assertEquals("node-1", orders.address());
        Map<String, String> older = new LinkedHashMap<>(orders.asMap());
        older.remove("hearth.executor.address");
        assertEquals(orders, ExecutorOrders.from(older));
        older.put("hearth.executor.address", " ");
        assertEquals(orders, ExecutorOrders.from(older));
        older.remove("hearth.executor.host");
        HearthException failure = assertThrows(HearthException.class, () -> ExecutorOrders.from(older));
        assertTrue(String.valueOf(failure.getMessage()).contains("hearth.executor.host: missing (expected: a value"));
    }

    @Test
    void seatADriverOnlyIfItsManagerSaysSo() {
        Settings settings = Settings.empty()
                .with(
                        "user",
                        Map.of("hearth.submission.seat", "true", "hearth.submission.argument.1", "x", "hearth.x", "1"));
        SubmissionPlan plan = SubmissionPlan.builder("n", "x.Y")
                .arguments(List.of("a"))
                .settings(settings)
                .build();
        Map<String, String> orders = DriverOrders.of(new SubmissionId("driver-1"), plan);
        assertFalse(DriverOrders.areSeated(orders), "a setting of the application is no order");
        assertEquals(List.of("a"), DriverOrders.plan(orders, Settings.empty()).arguments());
        Map<String, String> seated = DriverOrders.seated(orders);
        assertTrue(DriverOrders.areSeated(seated));
        SubmissionPlan read = DriverOrders.plan(seated, Settings.empty());
        assertEquals("1", read.settings().find("hearth.x").orElse(""));
        assertTrue(read.settings().find("hearth.submission.seat").isEmpty());
    }
}
