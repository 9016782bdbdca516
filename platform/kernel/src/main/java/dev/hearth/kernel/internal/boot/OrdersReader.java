package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.role.OrdersSource;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the launch orders of this process from a source, once. The main thread waits; the source is read on a thread of
 * its own, because it may block. Any thread may report that the source is there, and cancel the wait. Guarded by its own
 * lock.
 */
final class OrdersReader {
    /** Maximum time until all orders have arrived. */
    static final Duration BOUND = Duration.ofSeconds(30);

    /** Bound of a process that waits until it is needed. The end of its parent ends it as well. */
    static final Duration UNBOUNDED = Duration.ofDays(36_500);

    private final String role;
    private final String subject;
    private final Function<String, Optional<String>> environment;
    private final Ticker ticker;
    private final OrdersWait wait;
    private final CompletableFuture<Void> over = new CompletableFuture<>();
    private @Nullable Thread thread;
    private Optional<Map<String, String>> orders = Optional.empty();
    private @Nullable Throwable failure;

    /** {@code subject} is the source in messages; {@code environment} resolves references to variables. */
    OrdersReader(
            String role,
            String subject,
            Function<String, Optional<String>> environment,
            Duration bound,
            Ticker ticker) {
        this.role = role;
        this.subject = subject;
        this.environment = environment;
        this.ticker = ticker;
        this.wait = new OrdersWait(subject, bound.toNanos(), ticker.nanos());
    }

    /** Begins to read {@code source}, unless another source is read already. */
    synchronized void begin(OrdersSource source) {
        if (wait.found()) {
            Thread reading = new Thread(() -> read(source), "hearth-orders");
            reading.setDaemon(true);
            thread = reading;
            reading.start();
        }
    }

    private void read(OrdersSource source) {
        try {
            Map<String, String> read = source.read(role).resolved(environment);
            ended(() -> {
                orders = Optional.of(read);
                wait.read();
            });
        } catch (Throwable broken) { // an Error too, because a bundle may lack a class
            ended(() -> {
                failure = broken;
                wait.failed(subject + ": " + Failures.describe(broken));
            });
        }
    }

    /** Ends the wait as failed, because of {@code reason}. */
    void fail(String reason) {
        ended(() -> wait.failed(reason));
    }

    /** Ends the wait, because the process is asked to end. */
    void cancel() {
        ended(wait::cancelled);
    }

    private synchronized void ended(Runnable event) {
        event.run();
        if (wait.state().isFinal()) {
            over.complete(null);
            Thread reading = thread;
            if (reading != null && reading != Thread.currentThread()) {
                reading.interrupt();
            }
        }
    }

    /**
     * Waits for the orders. Empty if the wait was cancelled; fails with the failure of the source, or with {@code
     * START_FAILED} after a bound.
     */
    Optional<Map<String, String>> await() throws InterruptedException {
        while (!over.isDone()) {
            try {
                over.get(remainingNanos(), TimeUnit.NANOSECONDS);
            } catch (TimeoutException late) {
                ended(() -> wait.passed(ticker.nanos()));
            } catch (ExecutionException unexpected) {
                throw new IllegalStateException(subject, unexpected);
            }
        }
        synchronized (this) {
            return switch (wait.state()) {
                case READ -> orders;
                case CANCELLED -> Optional.empty();
                case SEEKING, READING, FAILED -> throw problem();
            };
        }
    }

    private synchronized long remainingNanos() {
        return wait.remainingNanos(ticker.nanos());
    }

    private HearthException problem() {
        Throwable cause = failure;
        if (cause instanceof HearthException known) {
            return known;
        }
        String words = Failures.expecting(wait.problem(), "all start parameters of the process");
        return cause == null ? ErrorCode.START_FAILED.failure(words) : ErrorCode.START_FAILED.failure(words, cause);
    }
}
