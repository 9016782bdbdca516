package dev.hearth.engine.internal.simulation;

/** A mistake built into the driver between the two schedulers, to see that a rule notices. */
enum DriverFlaw {
    NONE(""),
    /** The stage scheduler is not told that an executor is gone. */
    KEEPS_LOST_OUTPUTS("lost executor"),
    /** What it waits for never comes. */
    SLEEPS("every job ends"),
    /** Sets that nobody needs run on. */
    IGNORES_CANCEL("needs no more"),
    /** The tasks of a barrier stage are never run again. */
    IGNORES_BROKEN_BARRIERS("every job ends"),
    /** Whoever asks may publish. */
    LETS_ALL_PUBLISH("published"),
    /** The end of a task that was killed is not passed on. */
    LOSES_ENDS_OF_KILLED("is drained"),
    /** A set that cannot succeed is not told of. */
    HIDES_FAILED_SETS("every job ends"),
    /** What a task could not read is not told of. */
    HIDES_FAILED_FETCHES("every job ends"),
    /** A success is told twice, the second time as that of another partition. */
    MIXES_UP_PARTITIONS("result");

    private final String caughtBy;

    DriverFlaw(String caughtBy) {
        this.caughtBy = caughtBy;
    }

    /** A word of the rule that it breaks. */
    String caughtBy() {
        return caughtBy;
    }
}
