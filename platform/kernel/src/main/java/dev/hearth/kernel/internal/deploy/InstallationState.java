package dev.hearth.kernel.internal.deploy;

/**
 * State of one installation of a content. A draining installation never runs again: if its content is chosen again, a
 * new installation is made.
 */
enum InstallationState {
    INSTALLING,
    STARTING,
    /** The activator has exceeded the time limit: the installation counts as refused until the activator returns. */
    LATE,
    RUNNING,
    /** Installed but not started: a requirement is missing, or its activator failed. */
    REFUSED,
    DRAINING,
    /** Closed to new users; the activator's stop method runs. */
    STOPPING,
    /** Uninstalled; bundles that are wired to this one may still use its classes. */
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
