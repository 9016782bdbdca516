package dev.hearth.rpc.internal.security;

import java.util.Optional;

/**
 * State machine of one side of a mutual proof. It does not block or send; its owner {@link ProofHandler} sends the
 * frames that it returns.
 */
interface ProofSide {
    /** Returns the frame to send before this side receives any frame. */
    Optional<ProofFrame> begin();

    /**
     * Handles a frame of the remote side, and returns what follows from it. Not called after the proof has succeeded or
     * was refused.
     */
    Step receive(ProofFrame frame);

    /** Refuses the remote side because it sent {@code found}, which is not a valid frame at this point. */
    Step refuse(String found);

    /** Returns the reason to report if the connection ends before this side has completed the proof. */
    String incomplete();

    /**
     * Result of handling a frame: the frame to send in answer, if any; whether the proof goes on, has succeeded or was
     * refused; and the reason of a refusal.
     */
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

    /** Progress of a mutual proof: it continues, has succeeded, or was refused. */
    enum Outcome {
        GOES_ON,
        PROVED,
        REFUSED
    }
}
