package dev.hearth.engine.internal.simulation;

/** A planted fault in the driver between the two schedulers, to check that a rule of the ledger catches it. */
enum DriverFlaw {
    NONE(""),
    /** The loss of an executor is not reported to the stage scheduler. */
    KEEPS_LOST_OUTPUTS("lost executor"),
    /** Its timers never fire. */
    SLEEPS("every job ends"),
    /** Cancelled sets run on. */
    IGNORES_CANCEL("needs no more"),
    /** A broken barrier stage is not retried. */
    IGNORES_BROKEN_BARRIERS("every job ends"),
    /** Every attempt may commit. */
    LETS_ALL_PUBLISH("published"),
    /** The end of a killed task is dropped. */
    LOSES_ENDS_OF_KILLED("is drained"),
    /** The failure of a set is dropped. */
    HIDES_FAILED_SETS("every job ends"),
    /** Fetch failures are dropped. */
    HIDES_FAILED_FETCHES("every job ends"),
    /** An executor that leaves and then stays is not reported to the task scheduler as staying. */
    FORGETS_STAYING("no slot is lost"),
    /** A success is reported twice, the second time for another partition. */
    MIXES_UP_PARTITIONS("result");

    private final String caughtBy;

    DriverFlaw(String caughtBy) {
        this.caughtBy = caughtBy;
    }

    /** A part of the message of the rule that it breaks. */
    String caughtBy() {
        return caughtBy;
    }
}
