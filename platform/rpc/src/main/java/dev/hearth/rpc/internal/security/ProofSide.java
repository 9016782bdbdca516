package dev.hearth.rpc.internal.security;

import java.util.Optional;

/** One side of a mutual proof. A state machine that neither blocks nor sends; owned by {@link ProofHandler}. */
interface ProofSide {
    /** First frame of this side, sent before it receives any. */
    Optional<ProofFrame> begin();

    /** Handles a frame of the other side. Not called after the step that ends the proof. */
    Step receive(ProofFrame frame);

    /** Refuses the other side because it sent {@code found}, which is not a valid frame here. */
    Step refuse(String found);

    /** Reason to report if the connection ends before the proof is complete. */
    String incomplete();

    /** Result of a frame: the answer to send, the outcome so far, and the reason of a refusal. */
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

    /** Progress of a proof. */
    enum Outcome {
        GOES_ON,
        PROVED,
        REFUSED
    }
}
