package dev.hearth.standalone.internal.worker;

import dev.hearth.spi.error.Quantity;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Decides when one driver starts again on its worker. A state machine: time arrives as an argument, in nanoseconds of a
 * ticker; it starts and stops nothing. Owned by {@link Worker}, from the first start of the driver on that worker to the
 * last end.
 * <p>Invariants: each attempt after the first one begins after its delay and with the permission of the master, which thus
 * knows every number that is used; once the end of the driver is ordered, no attempt begins.
 */
final class Supervised {
    /** Delay before the first restart. Each further one doubles it. */
    static final Duration DELAY_FIRST = Duration.ofSeconds(1);

    static final Duration DELAY_MAX = Duration.ofSeconds(60);

    /** Run time from which on the next delay is the first one again. */
    static final Duration STABLE_AFTER = Duration.ofSeconds(5);

    private final OptionalInt restartsMax;
    private State state = State.RUNNING;
    private boolean isLast; // the present attempt is the last one
    private int attempt;
    private int restarts;
    private long startedNanos;
    private Duration delay = DELAY_FIRST;
    private boolean delayed; // the delay before the next attempt has passed
    private boolean permitted; // the master permits the next attempt

    /**
     * Driver whose start number {@code attempt} begins now. {@code restarts} counts the restarts after failures so far, on
     * any worker.
     */
    Supervised(int attempt, int restarts, OptionalInt restartsMax, long now) {
        this.attempt = attempt;
        this.restarts = restarts;
        this.restartsMax = restartsMax;
        this.startedNanos = now;
    }

    enum State {
        /** A process of the driver starts or runs. */
        RUNNING,
        /** The driver waits for its next start. */
        BACKING_OFF,
        ENDED;

        boolean leadsTo(State next) {
            return successors().contains(next);
        }

        private Set<State> successors() {
            return switch (this) {
                case RUNNING -> EnumSet.of(BACKING_OFF, ENDED);
                case BACKING_OFF -> EnumSet.of(RUNNING, ENDED);
                case ENDED -> EnumSet.noneOf(State.class);
            };
        }
    }

    /** Decision about the end of an attempt: the delay of the next one, or a note about why there is none. */
    record Decision(Optional<Duration> restartAfter, String note) {
        private static final Decision END = new Decision(Optional.empty(), "");
    }

    State state() {
        return state;
    }

    /** Number of the present start, or of the last one. */
    int attempt() {
        return attempt;
    }

    /** Number of restarts after failures, including the one that is due. */
    int restarts() {
        return restarts;
    }

    /**
     * Decides what follows the end of the present attempt with {@code status}, which is empty if the process could not be
     * started. What cannot start would fail again, so that only a process that has failed is restarted.
     */
    Decision ended(OptionalInt status, long now) {
        if (isLast || status.orElse(0) == 0) {
            move(State.ENDED);
            return Decision.END;
        }
        if (restartsMax.isPresent() && restarts >= restartsMax.getAsInt()) {
            move(State.ENDED);
            return new Decision(
                    Optional.empty(),
                    "not restarted, as hearth.driver.supervise.maxRestarts allows "
                            + Quantity.of(restartsMax.getAsInt(), "restart"));
        }
        restarts++;
        if (now - startedNanos >= STABLE_AFTER.toNanos()) {
            delay = DELAY_FIRST;
        }
        Duration chosen = delay;
        Duration doubled = delay.multipliedBy(2);
        delay = doubled.compareTo(DELAY_MAX) < 0 ? doubled : DELAY_MAX;
        move(State.BACKING_OFF);
        delayed = false;
        permitted = false;
        return new Decision(Optional.of(chosen), "");
    }

    /** Records that the delay after the attempt {@code before} has passed. Returns whether the next one begins now. */
    boolean due(int before, long now) {
        delayed |= state == State.BACKING_OFF && before == attempt;
        return begin(now);
    }

    /** Records that the master permits the attempt {@code number}. Returns whether it begins now. */
    boolean permitted(int number, long now) {
        permitted |= state == State.BACKING_OFF && number == attempt + 1;
        return begin(now);
    }

    private boolean begin(long now) {
        if (state != State.BACKING_OFF || !delayed || !permitted) {
            return false; // too early, or ended meanwhile
        }
        move(State.RUNNING);
        attempt++;
        startedNanos = now;
        return true;
    }

    /** Makes the present attempt the last one. Returns whether the driver has ended, because it only waited. */
    boolean release() {
        isLast = true;
        if (state == State.BACKING_OFF) {
            move(State.ENDED);
            return true;
        }
        return false;
    }

    private void move(State next) {
        if (!state.leadsTo(next)) {
            throw new IllegalStateException(
                    "supervised driver, attempt " + attempt + ": from " + state + " to " + next);
        }
        state = next;
    }
}
