package dev.hearth.kernel.internal.deploy;

/**
 * State of one installation of a content. A draining one never runs again: the same content would be installed again.
 */
enum InstallationState {
    INSTALLING,
    STARTING,
    /** Its activator runs longer than the bound: treated as refused until it returns. */
    LATE,
    RUNNING,
    /** Installed but not started: a requirement is missing, or its activator failed. */
    REFUSED,
    DRAINING,
    /** Closed to new users; its activator's stop runs. */
    STOPPING,
    /** Uninstalled; bundles that are wired to it may still use its classes. */
    STOPPED,
    GONE;

    boolean leadsTo(InstallationState next) {
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
