package dev.hearth.submission.internal;

import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.error.ErrorCode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Seats of cluster managers in this driver, by the schemes of their masters. Guarded by its own lock. */
final class DriverSeats {
    private final Map<String, CompletableFuture<DriverSeat>> byScheme = new LinkedHashMap<>();

    /** Adds a seat with the properties of its service. */
    synchronized void add(DriverSeat seat, Map<String, ?> properties) {
        Object schemes = properties.get(DriverSeat.SCHEME);
        for (Object scheme : schemes instanceof Object[] several ? several : new Object[] {schemes}) {
            seat(String.valueOf(scheme)).complete(seat);
        }
    }

    synchronized void remove(DriverSeat seat) {
        byScheme.values().removeIf(known -> known.getNow(null) == seat);
    }

    private synchronized CompletableFuture<DriverSeat> seat(String scheme) {
        return byScheme.computeIfAbsent(scheme, missing -> new CompletableFuture<>());
    }

    /** Waits for the seat for masters of {@code scheme}; fails with {@code START_FAILED} after {@code bound}. */
    DriverSeat await(String scheme, Duration bound) throws InterruptedException {
        try {
            return seat(scheme).get(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException missing) {
            throw ErrorCode.START_FAILED.failure(
                    "seat of the driver for masters '" + scheme + "': none after " + bound.toMillis()
                            + " ms (expected: a service " + DriverSeat.class.getSimpleName() + " with "
                            + DriverSeat.SCHEME + "=" + scheme
                            + ", since the launch orders ask for it); is the bundle of the cluster manager complete?",
                    missing);
        } catch (ExecutionException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }
}
