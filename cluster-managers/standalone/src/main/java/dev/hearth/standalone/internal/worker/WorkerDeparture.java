package dev.hearth.standalone.internal.worker;

import dev.hearth.standalone.internal.protocol.MasterProtocol.WorkerLeaves;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Departure of a worker that is decommissioned. Once begun, it is not taken back. It is complete when the master has
 * confirmed that it starts nothing more here, and no process is left that must end first. Part of the state machine {@link
 * Worker}, which owns it.
 */
final class WorkerDeparture {
    private final WorkerSpec spec;
    private Optional<String> reason = Optional.empty();
    private long sinceNanos;
    private boolean confirmed; // by the present master

    WorkerDeparture(WorkerSpec spec) {
        this.spec = spec;
    }

    /** Begins the departure; returns false if it has begun before. */
    boolean begin(String why, long now) {
        boolean begins = reason.isEmpty();
        if (begins) {
            reason = Optional.of(why);
            sinceNanos = now;
        }
        return begins;
    }

    boolean hasBegun() {
        return reason.isPresent();
    }

    /** Report to a master with which the worker is registered, with the time that is left, if the departure has begun. */
    Optional<WorkerEffect> report(long now) {
        return reason.map(why -> new WorkerEffect.Send(new WorkerLeaves(
                spec.id(),
                why,
                spec.departureTimeout()
                        .map(time -> time.minusNanos(now - sinceNanos).toMillis())
                        .map(left -> Math.max(0, left))
                        .map(OptionalLong::of)
                        .orElse(OptionalLong.empty()))));
    }

    void confirm() {
        confirmed = true;
    }

    void masterLost() {
        confirmed = false;
    }

    /** Whether the worker may end. {@code isFree} says that no process is left that must end before. */
    boolean isComplete(boolean isRegistered, boolean isFree) {
        return hasBegun() && isFree && (confirmed || !isRegistered);
    }
}
