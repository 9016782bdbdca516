package dev.hearth.yarn.internal.line;

import dev.hearth.api.HearthException;

/** Owner of a {@link ContainerLine}. Called on the application's event loop. */
public interface LineListener {
    /** The application master has registered, for the first time or again. The owner repeats no asks: the line does. */
    void registered(LineRegistration registration);

    /**
     * A new line took the place of one that is gone (a new relay). Orders that were given before this call are void, so that
     * the owner asks again for everything that has no grant, and excludes hosts again. The registration has all containers
     * that run.
     */
    void replaced(LineRegistration registration);

    /** A beat was answered. */
    void reported(LineReport report);

    /** A NodeManager has started the process in {@code container}. */
    void started(String container);

    /** A NodeManager has refused to start the process in {@code container}, or could not be reached. */
    void startFailed(String container, String why);

    /** The line is down for the moment. Containers go on; nothing is lost. */
    void interrupted(String why);

    /** The application is over at the ResourceManager, or the line cannot return. */
    void lost(HearthException why);
}
