package dev.hearth.kernel.internal.deploy;

/** The way of one installed copy of a content. What drains never comes back: the same content would be a new copy. */
enum CopyState {
    INSTALLING,
    STARTING,
    /** Its activator still runs after the bound: as good as refused until it answers. */
    LATE,
    RUNNING,
    /** Installed, and not started: something is missing, or its activator failed. */
    REFUSED,
    DRAINING,
    /** Nobody can begin to use it any more; its activator ends. */
    STOPPING,
    /** Uninstalled, while its classes may still be used by bundles that were wired to it. */
    STOPPED,
    GONE;

    boolean leadsTo(CopyState next) {
        return switch (this) {
            case INSTALLING -> next == STARTING || next == GONE;
            case STARTING -> next == RUNNING || next == REFUSED || next == LATE;
            case LATE -> next == RUNNING || next == REFUSED;
            case RUNNING -> next == DRAINING;
            case REFUSED -> next == STARTING || next == DRAINING;
            case DRAINING -> next == STOPPING;
            case STOPPING -> next == STOPPED;
            case STOPPED -> next == GONE;
            case GONE -> false;
        };
    }
}
