package dev.hearth.engine.internal.simulation;

/** A planted fault around the schedulers of several resource profiles, to check that a rule of the world catches it. */
enum ProfileFlaw {
    NONE(""),
    /** Executors register as those of the default profile. */
    MIXES_UP_EXECUTORS("profile"),
    /** The loss of an executor is not reported. */
    FORGETS_LOSSES("every set ends"),
    /** Dynamic allocation sees the load of the default profile alone. */
    SEES_ONE_LOAD("every set ends"),
    /** Dynamic allocation sees the executors of all profiles as one. */
    SEES_ALL_EXECUTORS("released"),
    /** An executor runs queued tasks on more threads than its cores allow. */
    HAS_TOO_MANY_THREADS("cores"),
    /** Tasks of different needs count as tasks of the default profile. */
    FORGETS_NEEDS("cores");

    private final String caughtBy;

    ProfileFlaw(String caughtBy) {
        this.caughtBy = caughtBy;
    }

    /** A part of the message of the rule that it breaks. */
    String caughtBy() {
        return caughtBy;
    }
}
