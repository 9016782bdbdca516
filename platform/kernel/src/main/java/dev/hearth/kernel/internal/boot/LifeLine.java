package dev.hearth.kernel.internal.boot;

import dev.hearth.kernel.internal.process.Orders;
import dev.hearth.spi.error.ErrorCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Standard input as the parent's pulse: it may bring orders first, then stays open while the parent lives. Read by a
 * thread of its own until the end of the process.
 */
final class LifeLine {
    /** How standard input is used, by {@code -Dhearth.lifeline}. */
    enum Mode {
        /** It belongs to the role. */
        NONE,
        /** Its end is the end of this process. */
        WATCH,
        /** It brings orders first. */
        ORDERS
    }

    static final String PROPERTY = "hearth.lifeline";
    private static final Logger LOG = LoggerFactory.getLogger(LifeLine.class);
    /** How long a parent may take to write the orders. */
    private static final Duration ORDERS_WAIT = Duration.ofSeconds(30);

    private final CompletableFuture<Map<String, String>> orders = new CompletableFuture<>();

    private LifeLine() {}

    static Mode mode() {
        String text = System.getProperty(PROPERTY, "");
        return switch (text) {
            case "" -> Mode.NONE;
            case "watch" -> Mode.WATCH;
            case "orders" -> Mode.ORDERS;
            default ->
                throw ErrorCode.BAD_ARGUMENT.failure("-D" + PROPERTY + ": '" + text + "' (expected: watch or orders)");
        };
    }

    /** Takes {@code in} over, unless the mode leaves it to the role; runs {@code parentGone} at its end. */
    static LifeLine open(Mode mode, InputStream in, Runnable parentGone) {
        LifeLine line = new LifeLine();
        if (mode != Mode.ORDERS) {
            line.orders.complete(Map.of());
        }
        if (mode != Mode.NONE) {
            System.setIn(InputStream.nullInputStream()); // an application that reads must not eat the pulse
            Thread watcher = new Thread(() -> line.watch(in, parentGone), "hearth-lifeline");
            watcher.setDaemon(true);
            watcher.start();
        }
        return line;
    }

    private void watch(InputStream in, Runnable parentGone) {
        try {
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            if (!orders.isDone()) {
                orders.complete(Orders.read(reader));
            }
            while (reader.read() >= 0) {} // whatever still comes means nothing
            LOG.info("standard input: ended; so did the parent process");
        } catch (IOException e) {
            LOG.info("standard input: {}; the parent process is taken for gone", e.toString());
            orders.completeExceptionally(e);
        } catch (RuntimeException e) {
            orders.completeExceptionally(e); // the main thread reports it
            return;
        }
        parentGone.run();
    }

    /** The parent's orders; none without a parent. Waits until they are complete. */
    Map<String, String> orders() throws InterruptedException {
        try {
            return orders.get(ORDERS_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw ErrorCode.START_FAILED.failure(
                    "orders: incomplete after " + ORDERS_WAIT.toSeconds() + " s (expected: a line with a single dot)",
                    e);
        } catch (ExecutionException e) {
            throw ErrorCode.START_FAILED.failure("orders: " + e.getCause() + " (expected: complete)", e);
        }
    }
}
