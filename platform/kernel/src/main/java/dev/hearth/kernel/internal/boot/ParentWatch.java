package dev.hearth.kernel.internal.boot;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.role.LaunchOrders;
import dev.hearth.spi.role.OrdersSource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
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
    /** Maximum time for which {@link #close} waits for the thread that reads. */
    private static final long END_MILLIS = 100;

    private static final Logger LOG = LoggerFactory.getLogger(ParentWatch.class);

    private final CompletableFuture<LaunchOrders> orders = new CompletableFuture<>();

    private @Nullable Thread watcher;

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
            line.orders.complete(LaunchOrders.of(Map.of()));
        }
        if (mode != Mode.NONE) {
            System.setIn(InputStream.nullInputStream()); // application code must not consume the parent's input
            Thread watcher = new Thread(() -> line.watch(in, parentEnded), "hearth-lifeline");
            watcher.setDaemon(true);
            watcher.start();
            line.watcher = watcher;
        }
        return line;
    }

    private void watch(InputStream in, Runnable parentEnded) {
        try {
            BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            if (!orders.isDone()) {
                orders.complete(LaunchOrders.of(LaunchOrders.read(reader).values())); // a parent fills in variables
            }
            while (reader.read() >= 0) {} // input after the orders is ignored
            LOG.info("standard input: ended, because the parent process ended");
        } catch (ClosedByInterruptException e) {
            LOG.debug("standard input: not read any more", e);
            orders.completeExceptionally(e);
            return;
        } catch (IOException e) {
            LOG.info("standard input: {}; the parent process is considered dead", e.toString());
            orders.completeExceptionally(e);
        } catch (RuntimeException e) {
            orders.completeExceptionally(e); // the main thread reports the failure
            return;
        }
        parentEnded.run();
    }

    /**
     * Ends the watch at the end of this process. While a thread waits in a system call, the JVM delays its exit by 0.3
     * seconds.
     */
    void close() {
        Thread watching = watcher;
        if (watching != null) {
            watching.interrupt();
            try {
                watching.join(END_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The orders of the parent, as a source that blocks until all of them have arrived. */
    OrdersSource orders() {
        return role -> {
            try {
                return orders.get();
            } catch (ExecutionException failed) {
                throw Failures.unwrap(failed) instanceof Exception known ? known : failed;
            }
        };
    }
}
