package dev.hearth.rpc.internal.http;

import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.http.HttpGate;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.rpc.HttpTrust;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Routes an HTTP request to a handler or to an immediate response, using only its head (request line and headers).
 * Stateless; called on any I/O thread.
 */
final class RequestRouter {
    private static final Logger LOG = LoggerFactory.getLogger(RequestRouter.class);
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final int NO_CONTENT = 204;
    private static final int FOUND = 302;

    private final RequestAuthorization admission;
    private final ForwardedHeaders forwarded;
    private final RequestGates gates;
    private final HttpTrust trust;
    private final Supplier<List<RouteTable>> routes;
    private final BuiltInPages pages;
    private final long bodyBytesMax;

    /**
     * Creates a router over several route tables. For prefixes of equal length, the earlier table in {@code routes}
     * wins.
     */
    RequestRouter(
            HttpLaneSettings conditions,
            RequestGates gates,
            Supplier<List<RouteTable>> routes,
            BuiltInPages pages,
            long bodyBytesMax) {
        this.admission = new RequestAuthorization(conditions);
        this.trust = conditions.settings().trust();
        this.forwarded = new ForwardedHeaders(trust);
        this.gates = gates;
        this.routes = routes;
        this.pages = pages;
        this.bodyBytesMax = bodyBytesMax;
    }

    /** Decision on a request, made from its head. */
    sealed interface Verdict {}

    /**
     * Verdict that the request of the client {@code seen} goes to the handler in {@code mount}, once its body has
     * arrived. A body of more than {@code bodyBytesMax} bytes is refused.
     */
    record Admitted(Mount mount, ForwardedHeaders.Seen seen, long bodyBytesMax) implements Verdict {}

    /** Verdict that {@code answer} is sent immediately. The body of the request is not awaited, and no handler runs. */
    record Answered(RenderedResponse answer) implements Verdict {}

    /**
     * Whether a request carries the HTTP token of this process. If so, the header with the token is removed before a
     * handler gets the request.
     */
    boolean showsToken(RequestHead head) {
        return admission.showsToken(head);
    }

    /** Decides on the request {@code head}, which came from {@code sender}. */
    Verdict route(RequestHead head, ForwardedHeaders.Sender sender) throws RequestRefused {
        ForwardedHeaders.Seen seen = forwarded.read(head, sender);
        admission.checkHost(head.host());
        admission.checkHost(seen.client().host());
        HttpGate.Decision decision = judge(head, seen);
        if (decision instanceof HttpGate.Redirected elsewhere) {
            return new Answered(redirect(elsewhere.location()));
        }
        if (decision instanceof HttpGate.Admitted known) {
            return route(head, named(seen, known), true);
        }
        return route(head, seen, admission.admits(head));
    }

    private Verdict route(RequestHead head, ForwardedHeaders.Seen seen, boolean admitted) throws RequestRefused {
        admission.checkOrigin(head, seen.client().host());
        if (head.isOptions()) {
            return new Answered(RenderedResponse.empty(NO_CONTENT).with("Allow", METHODS));
        }
        if (head.target().isAsterisk()) {
            throw HttpError.BAD_REQUEST.refused("target *: with " + head.method() + " (expected: with OPTIONS only)");
        }
        String path = head.target().path();
        Optional<Mount> mount = find(path);
        if (mount.isEmpty()) {
            List<BuiltInPages.Route> served = routes(admitted);
            Optional<String> accept = head.header("accept");
            String base = seen.client().base();
            String url =
                    (seen.secure() ? "https://" : "http://") + seen.client().host() + base;
            return new Answered(
                    path.equals("/") && head.isSafe()
                            ? pages.index(served, admitted, base, url, accept)
                            : pages.nothingAt(path, served, base, accept));
        }
        if (!admitted && !mount.get().isOpen(path)) {
            throw admission.refusal(head);
        }
        long bytesMax = Math.min(bodyBytesMax, mount.get().bodyBytesMax().orElse(Integer.MAX_VALUE));
        if (head.contentLength() > bytesMax) {
            throw tooLarge(bytesMax);
        }
        return new Admitted(mount.get(), seen, bytesMax);
    }

    /**
     * Returns the response of the handler for {@code head} to the refusal of the request; empty if the server's own
     * response is to be sent.
     */
    Optional<RenderedResponse> refusal(RequestHead head, RequestRefused refused) {
        return find(head.target().path())
                .flatMap(mount -> mount.refusal(refused.fault().status(), refused.text()))
                .map(answer -> ResponseRenderer.refusal(answer, refused.headers()));
    }

    private HttpGate.Decision judge(RequestHead head, ForwardedHeaders.Seen seen) throws RequestRefused {
        if (trust.gate().isEmpty() && gates.isEmpty(trust.requiredGates())) {
            return new HttpGate.Undecided();
        }
        HttpRequest request = new HttpRequest(
                head.method(),
                head.target().path(),
                "/",
                head.target().query(),
                seen.headers(),
                Bytes.EMPTY,
                seen.remote(),
                seen.secure(),
                seen.client());
        HttpGate.Decision decision = gates.judge(trust.gate(), request, trust.requiredGates());
        if (decision instanceof HttpGate.Refused refused) {
            throw HttpError.FORBIDDEN.refused(refused.reason());
        }
        return decision;
    }

    private static ForwardedHeaders.Seen named(ForwardedHeaders.Seen seen, HttpGate.Admitted known) {
        HttpRequest.Client client = seen.client();
        return new ForwardedHeaders.Seen(
                seen.remote(),
                seen.secure(),
                new HttpRequest.Client(
                        known.user().isEmpty() ? client.user() : known.user(),
                        client.host(),
                        known.base().isEmpty() ? client.base() : known.base()),
                seen.headers());
    }

    private static RenderedResponse redirect(String location) throws RequestRefused {
        if (location.isEmpty() || location.chars().anyMatch(c -> c <= ' ' || c > '~')) {
            throw HttpError.INTERNAL.refused(
                    "a gate redirects to a malformed location (expected: a path or URL of ASCII characters)");
        }
        return RenderedResponse.empty(FOUND).with("Location", location).with("Cache-Control", "no-store");
    }

    static RequestRefused tooLarge(long bytesMax) {
        return HttpError.CONTENT_TOO_LARGE.refused("body of the request: too long (expected: " + bytesMax
                + " bytes at most); the bound is that of its handler, or hearth.rest.maxRequestBodySize");
    }

    private Optional<Mount> find(String path) {
        Optional<Mount> longest = Optional.empty();
        for (RouteTable some : routes.get()) {
            Optional<Mount> found = some.find(path);
            if (found.isPresent()
                    && (longest.isEmpty()
                            || found.get().prefix().length()
                                    > longest.get().prefix().length())) {
                longest = found;
            }
        }
        return longest;
    }

    private List<BuiltInPages.Route> routes(boolean admitted) {
        Map<String, Mount> byPrefix = new TreeMap<>();
        routes.get().stream()
                .flatMap(some -> some.answering().stream())
                .filter(mount -> admitted || mount.open())
                .forEach(mount -> byPrefix.putIfAbsent(mount.prefix(), mount));
        return byPrefix.values().stream()
                .map(mount -> new BuiltInPages.Route(mount.prefix(), description(mount)))
                .toList();
    }

    private static String description(Mount mount) {
        try {
            return PrintableText.line(mount.handler().description());
        } catch (RuntimeException failure) { // of another bundle; its paths are listed all the same
            LOG.warn("HTTP prefix {}: no description of {}", mount.prefix(), mount.owner(), failure);
            return "";
        }
    }
}
