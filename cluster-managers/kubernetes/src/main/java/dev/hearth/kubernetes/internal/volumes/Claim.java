package dev.hearth.kubernetes.internal.volumes;

import dev.hearth.kubernetes.internal.api.ClaimFacts;
import java.util.List;

/** One claim on demand: its number, its state, and what is known about it. Owned by {@link VolumePool}. */
final class Claim {
    /** Executor of a claim that has none. */
    static final long NO_EXECUTOR = 0;

    final long number;
    final ClaimSpec spec;
    State state = State.PLANNED;
    ClaimFacts facts;
    long executor = NO_EXECUTOR;
    String volume = ""; // of the executor
    boolean unsure; // an answer is missing, so that it may exist
    boolean mounted; // a pod with it existed
    boolean ownedByPod;
    long sinceNanos; // of the state
    long verifiedNanos; // when it was known to exist

    Claim(long number, ClaimSpec spec, long now) {
        this.number = number;
        this.spec = spec;
        this.sinceNanos = now;
        this.facts = new ClaimFacts(spec.storageClass().orElse(""), List.of(spec.mode()), spec.size(), false);
    }

    @Override
    public String toString() {
        return number + " " + state + (state == State.ASSIGNED ? " to " + executor : "") + (unsure ? " unsure" : "");
    }

    enum State {
        /** It is needed; its request was not sent, or had no answer and is sent again. */
        PLANNED,
        /** The request is under way. */
        CREATING,
        /** It exists, and no pod has it. */
        FREE,
        /** The pod of an executor has it, or will have it. */
        ASSIGNED,
        /** It is being deleted. */
        RETIRING,
        GONE;

        boolean leadsTo(State next) {
            return switch (this) {
                case PLANNED -> next == CREATING || next == GONE;
                case CREATING -> next == PLANNED || next == FREE || next == GONE;
                case FREE -> next == ASSIGNED || next == RETIRING || next == GONE;
                case ASSIGNED -> next == FREE || next == RETIRING || next == GONE;
                case RETIRING -> next == GONE;
                case GONE -> false;
            };
        }
    }
}
