package dev.hearth.rpc.internal.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Routes an HTTP request to a handler or to an immediate response, using only its head (request line and headers).
 * Stateless; called on any I/O thread.
 */
final class RequestRouter {
    private static final String METHODS = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";
    private static final int NO_CONTENT = 204;

    private final RequestAuthorization admission;
    private final Supplier<List<RouteTable>> routes;
    private final BuiltInPages pages;
    private final long bodyBytesMax;

    /**
     * Creates a router over several route tables. For prefixes of equal length, the earlier table in {@code routes}
     * wins.
     */
    RequestRouter(
            RequestAuthorization admission, Supplier<List<RouteTable>> routes, BuiltInPages pages, long bodyBytesMax) {
        this.admission = admission;
        this.routes = routes;
        this.pages = pages;
        this.bodyBytesMax = bodyBytesMax;
    }

    /** Decision on a request, made from its head. */
    sealed interface Verdict {}

    /**
     * Verdict that the request goes to the handler in {@code mount}, once its body has arrived. A body of more than
     * {@code bodyBytesMax} bytes is refused.
     */
    record Admitted(Mount mount, long bodyBytesMax) implements Verdict {}

    /** Verdict that {@code answer} is sent immediately. The body of the request is not awaited, and no handler runs. */
    record Answered(RenderedResponse answer) implements Verdict {}

    /**
     * Whether this process has an HTTP token. If so, the header with the token is removed from a request before a
     * handler gets it.
     */
    boolean asksForTokens() {
        return admission.asksForTokens();
    }

    /** Whether a request carries the HTTP token of this process. */
    boolean showsToken(RequestHead head) {
        return admission.showsToken(head);
    }

    Verdict route(RequestHead head) throws RequestRefused {
        admission.checkHost(head);
        admission.checkOrigin(head);
        if (head.isOptions()) {
            return new Answered(RenderedResponse.empty(NO_CONTENT).with("Allow", METHODS));
        }
        if (head.target().isAsterisk()) {
            throw HttpError.BAD_REQUEST.refused("target *: with " + head.method() + " (expected: with OPTIONS only)");
        }
        String path = head.target().path();
        boolean admitted = admission.admits(head);
        Optional<Mount> mount = find(path);
        if (mount.isEmpty()) {
            List<String> prefixes = prefixes(admitted);
            Optional<String> accept = head.header("accept");
            return new Answered(
                    path.equals("/") && head.isSafe()
                            ? pages.index(prefixes, admitted, accept)
                            : pages.nothingAt(path, prefixes, accept));
        }
        if (!admitted && !mount.get().open()) {
            throw admission.refusal(head);
        }
        long bytesMax = Math.min(bodyBytesMax, mount.get().bodyBytesMax().orElse(Integer.MAX_VALUE));
        if (head.contentLength() > bytesMax) {
            throw tooLarge(bytesMax);
        }
        return new Admitted(mount.get(), bytesMax);
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

    private List<String> prefixes(boolean admitted) {
        Stream<Mount> all = routes.get().stream().flatMap(some -> some.answering().stream());
        return all.filter(mount -> admitted || mount.open())
                .map(Mount::prefix)
                .sorted()
                .distinct()
                .toList();
    }
}
