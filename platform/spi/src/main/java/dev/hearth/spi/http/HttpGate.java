package dev.hearth.spi.http;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Decides on every request before a handler gets it: the request is admitted as that of a user, redirected, refused, or
 * left to the rules of the server. Registered as a service; of several gates, the one with the highest service ranking
 * decides first, and a decision other than {@link Undecided} is final.
 *
 * <p>The request has no body yet, and its prefix is {@code /}. Called on the thread that reads the connection, so a gate
 * must not block. A gate that throws an exception refuses the request.
 */
@ConsumerType
@FunctionalInterface
public interface HttpGate {
    /** Service property: the name of the gate, for {@code hearth.rest.requiredGates}. */
    String NAME = "hearth.http-gate.name";

    Decision judge(HttpRequest request);

    /** Decision of a gate on a request. */
    sealed interface Decision {}

    /**
     * The request is served without a token. Its user is {@code user}; an empty name means that the gate does not know
     * it. {@code base} is the path below which a proxy publishes the server, if the gate knows one, else empty. The rules
     * on foreign host names and on changes by foreign pages still apply.
     */
    record Admitted(String user, String base) implements Decision {
        public Admitted(String user) {
            this(user, "");
        }
    }

    /** The client is redirected (status 302) to {@code location}, a path or URL. */
    record Redirected(String location) implements Decision {}

    /** The request is refused (status 403) for {@code reason}, which the client sees. */
    record Refused(String reason) implements Decision {}

    /** The gate leaves the request to the next gate, or to the rules of the server. */
    record Undecided() implements Decision {}
}
