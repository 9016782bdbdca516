package dev.hearth.rpc.internal.security;

import java.util.Optional;

/** One side of a mutual proof. A state machine: nothing blocks, nothing is sent; {@link ProofHandler} owns it. */
interface ProofSide {
    /** What this side says before it heard anything. */
    Optional<ProofFrame> begin();

    /** Takes what the other side said. Not called any more after a step that ends it. */
    Step hear(ProofFrame frame);

    /** What this side refuses with when the other one says nothing that belongs here. */
    Step refuse(String found);

    /** What this side could say of a connection that ends now. */
    String missing();

    /** What follows: something to say, and whether it goes on, is proved, or is over for {@code reason}. */
    record Step(Optional<ProofFrame> answer, Outcome outcome, String reason) {
        static Step goOn(ProofFrame answer) {
            return new Step(Optional.of(answer), Outcome.GOES_ON, "");
        }

        static Step proved(Optional<ProofFrame> answer) {
            return new Step(answer, Outcome.PROVED, "");
        }

        static Step refused(Optional<ProofFrame> answer, String reason) {
            return new Step(answer, Outcome.REFUSED, reason);
        }
    }

    /** How far a proof is. */
    enum Outcome {
        GOES_ON,
        PROVED,
        REFUSED
    }
}
