package dev.hearth.spi.http;

import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Answers requests below one path prefix; the longest prefix wins. Registered as a service with {@link #PREFIX}, it comes
 * and goes live: requests under way finish. Called on threads that may wait a little; many calls may run at once.
 */
@ConsumerType
@FunctionalInterface
public interface HttpHandler {
    /** Service property: the path prefix answered here, such as {@code /v1/submissions}; {@code /} takes what nobody else does. */
    String PREFIX = "hearth.http-handler.prefix";

    /** Service property: {@code true} when the answers are for everybody, without a token; absent means no. */
    String OPEN = "hearth.http-handler.open";

    /** Service property: the most bytes that the body of a request may have; absent means the setting's default. */
    String BODY_MAX = "hearth.http-handler.body-max";

    /** Answers now or later; an exception becomes a 500 that shows no stack trace. */
    CompletionStage<HttpAnswer> handle(HttpRequest request);
}
