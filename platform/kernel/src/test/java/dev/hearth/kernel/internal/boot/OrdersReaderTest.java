package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Orders that are read on a thread of their own, and ends of the wait for them. */
@Timeout(30)
class OrdersReaderTest {
    private final OrdersReader reader = reader(Duration.ofDays(1));

    @Test
    void fillsInVariables() throws InterruptedException {
        reader.begin(role -> new LaunchOrders(Map.of("role", role, "ip", "${env:IP}"), Set.of("ip")));
        assertEquals(Optional.of(Map.of("role", "executor", "ip", "10.0.0.1")), reader.await());
    }

    @Test
    void endsWithTheFailureOfItsSource() {
        reader.begin(role -> {
            throw new IOException("no ticket");
        });
        HearthException failure = assertThrows(HearthException.class, reader::await);
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        assertEquals(
                "orders of a test: java.io.IOException: no ticket (expected: all start parameters of the process)",
                failure.getMessage());

        OrdersReader other = reader(Duration.ofDays(1));
        other.begin(role -> {
            throw ErrorCode.NOT_AUTHENTICATED.failure("ticket: expired (expected: valid)");
        });
        HearthException own = assertThrows(HearthException.class, other::await);
        assertEquals(ErrorCode.NOT_AUTHENTICATED.name(), own.code());
    }

    @Test
    void interruptsItsSourceWhenTheProcessIsToEnd() throws Exception {
        CountDownLatch reading = new CountDownLatch(1);
        CompletableFuture<Void> interrupted = new CompletableFuture<>();
        reader.begin(role -> {
            reading.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException asked) {
                interrupted.complete(null);
                throw asked;
            }
            return LaunchOrders.of(Map.of());
        });
        reading.await();
        reader.cancel();
        assertEquals(Optional.empty(), reader.await());
        interrupted.get(1, TimeUnit.MINUTES);
    }

    @Test
    void givesUpAtItsBound() {
        HearthException failure = assertThrows(HearthException.class, reader(Duration.ZERO)::await);
        assertTrue(String.valueOf(failure.getMessage()).startsWith("orders of a test: not there after 0 s"));
        reader.fail("two of them (expected: one)");
        assertThrows(HearthException.class, reader::await);
    }

    private static OrdersReader reader(Duration bound) {
        return new OrdersReader(
                "executor",
                "orders of a test",
                name -> Optional.of("10.0.0.1").filter(ip -> name.equals("IP")),
                bound,
                Ticker.system());
    }
}
