package dev.hearth.itests.simulation;

/** A mistake built into the system under test, to see that its invariant notices. */
enum OrderFlaw {
    NONE(""),
    /** An order that is repeated is carried out again. */
    CARRIES_OUT_REPETITIONS(OrderWorld.ONCE),
    /** What was carried out is known until the process dies, and no longer. */
    REMEMBERS_IN_MEMORY(OrderWorld.ONCE),
    /** Whoever asked last gets the answer. */
    ANSWERS_WHO_ASKED_LAST(OrderWorld.OWN_REPLY),
    /** Remarks are noted later, each when there is time. */
    NOTES_LATER(OrderWorld.ORDER),
    /** Giving up an order whose buyer is gone does not begin the next one. */
    SLEEPS_AFTER_A_LOSS(OrderWorld.ANSWERED),
    /** A buyer whose connection broke waits for an answer all the same. */
    WAITS_FOR_THE_LOST(OrderWorld.ANSWERED);

    private final String caughtBy;

    OrderFlaw(String caughtBy) {
        this.caughtBy = caughtBy;
    }

    /** The invariant that it breaks. */
    String caughtBy() {
        return caughtBy;
    }
}
