package dev.hearth.spi.http;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Handles the requests below one path prefix. If several prefixes match, the longest one wins. Registered as a service
 * with the property {@link #PREFIX}. Requests that are running when the service is unregistered finish normally. Called
 * concurrently on threads that may block briefly.
 */
@ConsumerType
@FunctionalInterface
public interface HttpHandler {
    /**
     * Service property: the prefix of the paths that the handler serves, such as {@code /v1/submissions}; {@code /} is
     * the fallback for all other paths.
     */
    String PREFIX = "hearth.http-handler.prefix";

    /** Service property: {@code true} if requests need no authentication token. The default is false. */
    String OPEN = "hearth.http-handler.open";

    /**
     * Service property: the maximum size of a request body in bytes. The default is the value of the setting
     * {@code hearth.rest.maxRequestBodySize}.
     */
    String BODY_MAX = "hearth.http-handler.body-max";

    /**
     * Handles a request, now or asynchronously. An exception becomes a response with status 500, without a stack trace.
     */
    CompletionStage<HttpAnswer> handle(HttpRequest request);

    /**
     * Whether requests for {@code path}, which is below the prefix, need no authentication by the server, because this
     * handler authenticates them itself or serves them to everyone. False if not overridden. Must not block.
     */
    default boolean isOpen(String path) {
        return false;
    }

    /**
     * Response to a request below the prefix that the server refuses before this handler gets it: {@code status} says
     * why, for example 413 for a body that is too long, and {@code message} explains it. Only responses in memory are
     * possible. If empty, the server sends its own response. Must not block.
     */
    default Optional<HttpAnswer> refusal(int status, String message) {
        return Optional.empty();
    }

    /**
     * Maximum size of a request body in bytes for a handler that is passed to {@code RpcEnv.serve}; a service states it
     * as the property {@link #BODY_MAX}. The default is the value of the setting {@code hearth.rest.maxRequestBodySize}.
     */
    default OptionalInt bodyBytesMax() {
        return OptionalInt.empty();
    }

    /**
     * Describes what this handler serves, in one line for the page at {@code /} that lists the served paths; empty if it says
     * nothing.
     */
    default String description() {
        return "";
    }
}
