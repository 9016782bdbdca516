package dev.hearth.kernel.internal.boot;

/**
 * Wait of a process for its launch orders, which end it or let its role begin. A state machine: time is an argument, and
 * {@link OrdersReader} owns it. Invariant: the wait ends in one final state, at the latest at its deadline, and no later
 * event changes it.
 */
final class OrdersWait {
    /** States of the wait. The last three are final. */
    enum State {
        /** No source of orders is there yet. */
        SEEKING,
        READING,
        READ,
        FAILED,
        /** The process was asked to end. */
        CANCELLED;

        boolean leadsTo(State next) {
            return switch (this) {
                case SEEKING -> next != SEEKING && next != READ;
                case READING -> next != SEEKING && next != READING;
                case READ, FAILED, CANCELLED -> false;
            };
        }

        boolean isFinal() {
            return this == READ || this == FAILED || this == CANCELLED;
        }
    }

    private final String subject;
    private final long boundNanos;
    private final long deadline;
    private State state = State.SEEKING;
    private String problem = "";

    /** {@code subject} is the source in messages; the wait begins at {@code now}. */
    OrdersWait(String subject, long boundNanos, long now) {
        this.subject = subject;
        this.boundNanos = boundNanos;
        this.deadline = now + boundNanos;
    }

    State state() {
        return state;
    }

    /** Time until the deadline, in nanoseconds; not negative. */
    long remainingNanos(long now) {
        return Math.max(0, deadline - now);
    }

    /** The reason in state {@code FAILED}; otherwise empty. */
    String problem() {
        return problem;
    }

    /** Handles that a source is there; true if the caller must read it. */
    boolean found() {
        return move(State.READING);
    }

    void read() {
        move(State.READ);
    }

    /** Handles that there is no way to get orders; {@code reason} is for people. */
    void failed(String reason) {
        if (move(State.FAILED)) {
            problem = reason;
        }
    }

    void cancelled() {
        move(State.CANCELLED);
    }

    /** Handles that time has passed, and ends the wait at its deadline. */
    void passed(long now) {
        if (now - deadline < 0) {
            return;
        }
        long seconds = boundNanos / 1_000_000_000L;
        failed(
                state == State.SEEKING
                        ? subject + ": not there after " + seconds + " s (expected: a service of a bundle of the role)"
                        : subject + ": incomplete after " + seconds + " s (expected: all of them within that time)");
    }

    /** Moves on; false if the state does not lead there, because an event came late or twice. */
    private boolean move(State next) {
        boolean moves = state.leadsTo(next);
        if (moves) {
            state = next;
        }
        return moves;
    }
}
