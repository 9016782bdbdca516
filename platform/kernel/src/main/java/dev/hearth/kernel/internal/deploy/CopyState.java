package dev.hearth.kernel.internal.deploy;

/** The way of one installed copy of a content. What drains never comes back: the same content would be a new copy. */
enum CopyState {
    INSTALLING,
    STARTING,
    RUNNING,
    /** Installed, and not started: something is missing, or its activator failed. */
    REFUSED,
    DRAINING,
    /** Uninstalled, while its classes may still be used by bundles that were wired to it. */
    STOPPED,
    GONE;

    boolean leadsTo(CopyState next) {
        return switch (this) {
            case INSTALLING -> next == STARTING || next == GONE;
            case STARTING -> next == RUNNING || next == REFUSED;
            case RUNNING -> next == DRAINING;
            case REFUSED -> next == STARTING || next == DRAINING;
            case DRAINING -> next == STOPPED;
            case STOPPED -> next == GONE;
            case GONE -> false;
        };
    }
}
