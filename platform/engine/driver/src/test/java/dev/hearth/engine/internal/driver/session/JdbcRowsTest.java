package dev.hearth.engine.internal.driver.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.api.JdbcRows;
import dev.hearth.testkit.machine.Eventually;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests database rows that tasks read in parts. */
@Timeout(60)
@SuppressWarnings("serial") // its serialisable lambdas access private members
class JdbcRowsTest {
    private static final String SQL = "select n from numbers where n between ? and ?";

    @RegisterExtension
    private final LocalContext local = new LocalContext();

    private static final Duration CLOSING_MAX = Duration.ofSeconds(30); // killed attempts close theirs as they end
    private final HearthContext context = local.open();

    @BeforeEach
    void register() throws SQLException {
        CountingJdbcDriver.register();
    }

    @AfterEach
    void deregister() throws Exception {
        CountingJdbcDriver.deregister();
        Eventually.until("all connections are closed", () -> CountingJdbcDriver.OPEN.get() == 0, CLOSING_MAX);
    }

    private static JdbcRows<Long> rows(long lower, long upper, int partitions) {
        return new JdbcRows<>(CountingJdbcDriver::connect, SQL, lower, upper, partitions, row -> row.getLong(1));
    }

    @Test
    void givesEachRowOnce() {
        for (int partitions = 1; partitions < 8; partitions++) {
            assertEquals(
                    LongStream.rangeClosed(-2, 3).boxed().toList(),
                    rows(-2, 3, partitions).in(context).collect());
        }
        assertEquals(
                LongStream.rangeClosed(Long.MAX_VALUE - 4, Long.MAX_VALUE)
                        .boxed()
                        .toList(),
                rows(Long.MAX_VALUE - 4, Long.MAX_VALUE, 3).in(context).collect());
    }

    @Test
    void closesItsConnectionWhenNotAllRowsAreRead() {
        assertEquals(List.of(1L, 2L), rows(1, 1_000, 2).in(context).take(2));
    }

    @Test
    void reportsTheErrorOfTheDatabase() {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> new JdbcRows<>(CountingJdbcDriver::connect, SQL, 1, 9, 2, row -> row.getString("no such column"))
                        .in(context)
                        .count());
        assertEquals("TASK_FAILED", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains("no such column"), failure.getMessage());
    }

    @Test
    void refusesBoundsThatCannotBePartitioned() {
        refused("JdbcRows: 0 partitions", () -> rows(1, 9, 0));
        refused("JdbcRows: from 9 to 1", () -> rows(9, 1, 1));
        refused(
                "JdbcRows: 'select 1'",
                () -> new JdbcRows<>(CountingJdbcDriver::connect, "select 1", 1, 9, 1, row -> row.getLong(1)));
    }

    private static void refused(String begin, Runnable asking) {
        HearthException failure = assertThrows(HearthException.class, asking::run);
        assertEquals("BAD_ARGUMENT", failure.code());
        assertTrue(String.valueOf(failure.getMessage()).startsWith(begin), failure.getMessage());
    }
}
