package dev.hearth.yarn.internal.line;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * Line of one application to its ResourceManager and the NodeManagers of its containers. Called on the application's event
 * loop; returns at once, and calls its listener in actions of their own.
 */
public interface ContainerLine {
    /** Registers the application master; {@code listener} receives the registration, and all that follows. */
    void open(LineListener listener);

    /** Adds orders to the next beat. Orders are kept while the line is down. */
    void order(LineOrders orders);

    /**
     * Sends the next beat after {@code delay}, or earlier if one is due earlier. An answer voids what is planned, and nothing
     * is sent while an answer is awaited: the owner plans the next beat with each answer.
     */
    void beat(Duration delay);

    /** Starts a process in a granted container. */
    void start(GrantedContainer container, ContainerLaunch launch);

    /** Asks the NodeManager of a running container to end it. */
    void stop(GrantedContainer container);

    /** Reports to the ResourceManager the address of the application's pages. */
    void trackingUrl(String url);

    /**
     * Ends the application at the ResourceManager with {@code words}, at most 32,768 characters of them, and closes the
     * line. The result completes when the ResourceManager knows it, or cannot be reached within a bound. Idempotent.
     */
    CompletionStage<Void> finish(FinalOutcome outcome, String words);

    /** Closes the line and leaves the application registered, so that a later attempt takes over. Idempotent. */
    void abandon();
}
