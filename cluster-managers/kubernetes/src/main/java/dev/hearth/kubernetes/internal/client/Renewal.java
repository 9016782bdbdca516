package dev.hearth.kubernetes.internal.client;

import java.util.Optional;

/**
 * Times at which credentials are read again. A state machine without a clock, owned by {@link RenewedAccess}. At most one read is
 * under way. Invariants: a value that was refused is not used again unless a read has returned the same value, and reads
 * because of refusals and failures keep pauses, which double.
 *
 * <pre>
 * NONE -> reading -> HELD -> (checked after a time, or refused) -> reading -> HELD
 *            '-> FAILED -> (pause) -> reading
 * </pre>
 */
final class Renewal<V> {
    static final long PAUSE_NANOS = 1_000_000_000L;
    static final long PAUSE_NANOS_MAX = 30 * PAUSE_NANOS;

    private final Pauses refusals = new Pauses();
    private final Pauses failures = new Pauses();
    private Optional<Held<V>> held = Optional.empty();
    private long serial;
    private boolean reading;
    private String failure = "";

    /** Action of the owner for a request. */
    enum Step {
        /** It uses the value that is held. */
        USE,
        /** It waits for the read that is under way. */
        WAIT,
        /** It starts a read, and waits for it. */
        READ,
        /** It gives up, as a pause is not over; for a request without a value, {@link #failure} says why. */
        GIVE_UP
    }

    /** Value with its number. It is checked at {@code checkNanos}, and is not used at {@code endNanos} or later. */
    record Held<V>(V value, long serial, long checkNanos, long endNanos) {}

    /** Handles that a request needs a value. */
    Step wanted(long now) {
        if (reading) {
            return Step.WAIT;
        }
        if (held.isPresent() && now - held.get().checkNanos < 0) {
            return Step.USE;
        }
        return read(held.isEmpty() && failures.isPausing(now));
    }

    /** Handles that the API server refused the value numbered {@code refused}. */
    Step refused(long refused, long now) {
        if (refused != serial) {
            return Step.USE;
        }
        if (reading) {
            return Step.WAIT;
        }
        boolean pausing = refusals.isPausing(now);
        if (!pausing) {
            refusals.begin(now);
        }
        return read(pausing);
    }

    private Step read(boolean pausing) {
        if (pausing) {
            return Step.GIVE_UP;
        }
        reading = true;
        return Step.READ;
    }

    /** Handles the end of a read. The value is to be checked at {@code checkNanos} and ends at {@code endNanos}. */
    void read(V value, long checkNanos, long endNanos) {
        reading = false;
        failure = "";
        failures.reset();
        if (held.isEmpty() || !held.get().value.equals(value)) {
            serial++;
            refusals.reset();
        }
        held = Optional.of(new Held<>(value, serial, checkNanos, endNanos));
    }

    /** Handles a read that failed. A value that has not ended stays in use, and is checked again later. */
    void failed(String words, long now) {
        reading = false;
        failure = words;
        failures.begin(now);
        held = held.filter(value -> now - value.endNanos < 0)
                .map(value -> new Held<>(
                        value.value, value.serial, now + Math.min(PAUSE_NANOS, value.endNanos - now), value.endNanos));
    }

    Optional<Held<V>> held() {
        return held;
    }

    /** Why the last read failed; empty if it did not. */
    String failure() {
        return failure;
    }

    /** Pauses that double while nothing gets better. */
    private static final class Pauses {
        private long pauseNanos;
        private long endNanos;

        boolean isPausing(long now) {
            return pauseNanos > 0 && now - endNanos < 0;
        }

        void begin(long now) {
            boolean isOld = pauseNanos > 0 && now - endNanos > 2 * PAUSE_NANOS_MAX;
            pauseNanos = pauseNanos == 0 || isOld ? PAUSE_NANOS : Math.min(2 * pauseNanos, PAUSE_NANOS_MAX);
            endNanos = now + pauseNanos;
        }

        void reset() {
            pauseNanos = 0;
        }
    }
}
