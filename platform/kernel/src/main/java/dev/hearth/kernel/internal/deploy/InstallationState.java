package dev.hearth.kernel.internal.deploy;

/**
 * State of one installation of a bundle. A draining installation, which waits until its users are gone, never returns
 * to RUNNING. If the same jar is to run again, a new installation is made.
 */
enum InstallationState {
    INSTALLING,
    STARTING,
    /**
     * The activator has exceeded its time limit during the start, but may still return. Until then, no bundle with the
     * same bytes is started.
     */
    LATE,
    RUNNING,
    /** Installed but not started, because a requirement is missing or the activator failed. */
    REFUSED,
    DRAINING,
    /** The bundle is being stopped and uninstalled, and refuses new users such as applications. */
    STOPPING,
    /**
     * Uninstalled, but not yet released by an OSGi refresh: other bundles that import its packages may still use its
     * classes.
     */
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
