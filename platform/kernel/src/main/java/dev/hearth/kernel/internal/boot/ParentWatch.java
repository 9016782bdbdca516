package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.LaunchOrders;
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
 * Watches the parent process through standard input. The input may begin with orders, which are start parameters from
 * the parent. The end of the input means that the parent has died. A separate thread reads the input until the process
 * ends.
 */
final class ParentWatch {
    /** Use of standard input by this process, selected by {@code -Dhearth.lifeline}. */
    enum Mode {
        /** Standard input belongs to the role; the parent is not watched. */
        NONE,
        /** This process exits when standard input ends. */
        WATCH,
        /** Standard input begins with the parent's orders; this process exits when standard input ends. */
        ORDERS
    }

    static final String PROPERTY = "hearth.lifeline";
    private static final Logger LOG = LoggerFactory.getLogger(ParentWatch.class);
    /** Maximum time in which the parent must have written its orders. */
    private static final Duration ORDERS_WAIT = Duration.ofSeconds(30);

    private final CompletableFuture<Map<String, String>> orders = new CompletableFuture<>();

    private ParentWatch() {}

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

    /** Reads {@code in}, unless {@code mode} is {@code NONE}, and runs {@code parentEnded} when the input ends. */
    static ParentWatch open(Mode mode, InputStream in, Runnable parentEnded) {
        ParentWatch line = new ParentWatch();
        if (mode != Mode.ORDERS) {
            line.orders.complete(Map.of());
        }
        if (mode != Mode.NONE) {
            System.setIn(InputStream.nullInputStream()); // application code must not consume the parent's input
            Thread watcher = new Thread(() -> line.watch(in, parentEnded), "hearth-lifeline");
            watcher.setDaemon(true);
            watcher.start();
        }
        return line;
    }

    private void watch(InputStream in, Runnable parentEnded) {
        try {
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            if (!orders.isDone()) {
                orders.complete(LaunchOrders.read(reader).values());
            }
            while (reader.read() >= 0) {} // input after the orders is ignored
            LOG.info("standard input: ended, because the parent process ended");
        } catch (IOException e) {
            LOG.info("standard input: {}; the parent process is considered dead", e.toString());
            orders.completeExceptionally(e);
        } catch (RuntimeException e) {
            orders.completeExceptionally(e); // the main thread reports the failure
            return;
        }
        parentEnded.run();
    }

    /** Returns the orders of the parent; empty if none are expected. Blocks until all orders have arrived. */
    Map<String, String> orders() throws InterruptedException {
        try {
            return orders.get(ORDERS_WAIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw ErrorCode.START_FAILED.failure(
                    "start parameters (orders) of the parent process, on standard input: incomplete after"
                            + " " + ORDERS_WAIT.toSeconds()
                            + " s (expected: a closing line with a single dot)",
                    e);
        } catch (ExecutionException e) {
            throw ErrorCode.START_FAILED.failure(
                    "start parameters (orders) of the parent process, on standard" + " input: " + e.getCause(), e);
        }
    }
}
