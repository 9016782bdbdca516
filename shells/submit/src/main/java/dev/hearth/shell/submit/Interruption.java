package dev.hearth.shell.submit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Signals that arrive while this process waits for a submission: the first ends the wait, the second kills the
 * submission if it comes in time, the third ends the wait for that kill. Signals arrive on any thread.
 */
final class Interruption implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Interruption.class);

    private final CompletableFuture<EndSignal> first = new CompletableFuture<>();
    private final CompletableFuture<EndSignal> second = new CompletableFuture<>();
    private final CompletableFuture<EndSignal> third = new CompletableFuture<>();
    private final AutoCloseable source;

    Interruption(EndSignals signals) {
        source = signals.receive(this::arrived);
    }

    private void arrived(EndSignal signal) {
        if (!first.complete(signal) && !second.complete(signal)) {
            third.complete(signal);
        }
    }

    /** The first signal; empty if none has arrived. */
    Optional<EndSignal> signal() {
        return Optional.ofNullable(first.getNow(null));
    }

    /** Completes with the first signal, or when {@code stopped} does. */
    CompletableFuture<Void> firstOr(CompletableFuture<Void> stopped) {
        return either(first, stopped);
    }

    /** Completes with the third signal, or when {@code stopped} does. */
    CompletableFuture<Void> thirdOr(CompletableFuture<Void> stopped) {
        return either(third, stopped);
    }

    private static CompletableFuture<Void> either(
            CompletableFuture<EndSignal> signal, CompletableFuture<Void> stopped) {
        return CompletableFuture.anyOf(signal, stopped).thenApply(any -> null);
    }

    /** Waits for a second signal; whether one has come within {@code bound}. */
    boolean comesAgain(Duration bound) throws InterruptedException {
        try {
            second.get(bound.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException none) {
            return false;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Gives the signals back to the JVM. */
    @Override
    public void close() {
        try {
            source.close();
        } catch (Exception failure) {
            LOG.debug("signals: not given back", failure);
        }
    }
}
