package dev.hearth.itests.simulation;

/** A mistake built into the system under test, to prove that an invariant detects it. */
enum OrderFlaw {
    NONE(""),
    /** The shop carries out a retried order again. */
    CARRIES_OUT_REPETITIONS(OrderWorld.ONCE),
    /** The shop remembers carried-out orders in memory only, so a crash loses them. */
    REMEMBERS_IN_MEMORY(OrderWorld.ONCE),
    /** The shop sends each answer to the sender of the latest request. */
    ANSWERS_WHO_ASKED_LAST(OrderWorld.OWN_REPLY),
    /** The shop handles remarks asynchronously, in no fixed order. */
    NOTES_LATER(OrderWorld.ORDER),
    /** The shop does not start the next order after it gave up one whose buyer is gone. */
    SLEEPS_AFTER_A_LOSS(OrderWorld.ANSWERED),
    /** A buyer whose connection broke still waits for an answer. */
    WAITS_FOR_THE_LOST(OrderWorld.ANSWERED);

    private final String caughtBy;

    OrderFlaw(String caughtBy) {
        this.caughtBy = caughtBy;
    }

    /** The invariant that the mistake breaks. */
    String caughtBy() {
        return caughtBy;
    }
}
