package dev.hearth.kernel.internal.deploy;

/**
 * State of one installation of a bundle. A draining installation never runs normally again. If its content is chosen
 * again, a new installation is made.
 */
enum InstallationState {
    INSTALLING,
    STARTING,
    /**
     * The activator has exceeded its time limit but may still return. Until then, the content of the installation
     * counts as refused.
     */
    LATE,
    RUNNING,
    /** Installed but not started, because a requirement is missing or the activator failed. */
    REFUSED,
    DRAINING,
    /** Closed to new users, while the activator's stop method runs. */
    STOPPING,
    /** Uninstalled, but other bundles that are wired to this one may still use its classes. */
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
