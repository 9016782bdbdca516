package dev.hearth.yarn.internal.hadoop;

import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import java.io.IOException;

/**
 * Calls to the ResourceManager for one application master. They block; one thread makes them. An {@link IOException} means that the
 * ResourceManager did not answer, and that the call may be repeated; a {@link dev.hearth.api.HearthException} is final.
 */
interface ResourceManagerCalls {
    /** Registers the application master. */
    LineRegistration register(String trackingUrl) throws IOException, InterruptedException;

    /** The last registration, with the containers that the application has now. */
    LineRegistration registration();

    /** Notes orders for the next {@link #beat}. Sends nothing. */
    void note(LineOrders orders);

    /** Sends what has been noted, and a sign of life. */
    LineReport beat() throws IOException, InterruptedException;

    /** Notes a new address of the application's pages for the next beat. */
    void trackingUrl(String url);

    /** Ends the application, which then leads to {@code history}, or to the page of the ResourceManager if that is empty. */
    void unregister(FinalOutcome outcome, String words, String history) throws IOException, InterruptedException;

    /** Closes the connection. */
    void close();
}
