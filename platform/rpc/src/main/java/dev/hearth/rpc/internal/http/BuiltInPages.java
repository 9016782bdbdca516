package dev.hearth.rpc.internal.http;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates the responses that come from the HTTP server itself, not from a handler: refusals, and the index of served
 * paths. Stateless.
 */
final class BuiltInPages {
    private static final String JSON = "application/json;charset=utf-8";
    private static final String TEXT = "text/plain;charset=utf-8";
    private static final String HTML = "text/html;charset=utf-8";

    private final HttpLaneSettings conditions;

    BuiltInPages(HttpLaneSettings conditions) {
        this.conditions = conditions;
    }

    /** Creates a refusal as JSON or text, according to the Accept header {@code accept}. */
    RenderedResponse refusal(RequestRefused refused, Optional<String> accept) {
        return failure(refused.fault().status(), refused.fault().name(), refused.text(), accept, refused.headers());
    }

    RenderedResponse failure(int status, String code, String message, Optional<String> accept) {
        return failure(status, code, message, accept, Map.of());
    }

    private static RenderedResponse failure(
            int status, String code, String message, Optional<String> accept, Map<String, String> headers) {
        RenderedResponse answer = wantsText(accept)
                ? RenderedResponse.text(status, TEXT, code + ": " + message + "\n")
                : RenderedResponse.text(
                        status,
                        JSON,
                        "{\"code\":" + JsonText.quoted(code) + ",\"message\":" + JsonText.quoted(message) + "}\n");
        headers.forEach(answer::with);
        return answer.with("Cache-Control", "no-store");
    }

    /**
     * Creates the default response to {@code /}. For a client that is not {@code admitted}, the page does not reveal
     * the name and version of the server. {@code base} is the path below which a proxy publishes the server, for links.
     */
    RenderedResponse index(List<String> prefixes, boolean admitted, String base, Optional<String> accept) {
        String name = admitted ? conditions.name() : "Hearth";
        String version = admitted ? conditions.version() : "";
        if (wantsJson(accept)) {
            return list(
                    200,
                    "{\"name\":" + JsonText.quoted(name) + ",\"version\":" + JsonText.quoted(version) + ",\"paths\":"
                            + JsonText.list(prefixes) + "}\n",
                    JSON);
        }
        return list(200, page(name + (version.isEmpty() ? "" : " " + version), "", base, prefixes), HTML);
    }

    /** Creates the response for a path without a handler; {@code base} as for {@link #index}. */
    RenderedResponse nothingAt(String path, List<String> prefixes, String base, Optional<String> accept) {
        String message = path + ": nothing is served here (expected: a path below "
                + (prefixes.isEmpty() ? "none" : prefixes) + ")";
        if (wantsJson(accept)) {
            return list(
                    HttpError.NOT_FOUND.status(),
                    "{\"code\":\"" + HttpError.NOT_FOUND + "\",\"message\":" + JsonText.quoted(message) + ",\"paths\":"
                            + JsonText.list(prefixes) + "}\n",
                    JSON);
        }
        String line = "<p>Nothing is served at <code>" + escaped(path) + "</code>.</p>";
        return list(HttpError.NOT_FOUND.status(), page("Not found", line, base, prefixes), HTML);
    }

    private static RenderedResponse list(int status, String text, String type) {
        return RenderedResponse.text(status, type, text)
                .with("Cache-Control", "no-store")
                .with("Vary", "Accept");
    }

    private static String page(String title, String line, String base, List<String> prefixes) {
        StringBuilder page = new StringBuilder(
                        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escaped(title))
                .append("</title></head><body><h1>")
                .append(escaped(title))
                .append("</h1>")
                .append(line)
                .append("<p>")
                .append(prefixes.isEmpty() ? "No path is served." : "Served paths:")
                .append("</p><ul>");
        for (String prefix : prefixes) {
            String text = escaped(prefix);
            page.append("<li><a href=\"")
                    .append(escaped(base))
                    .append(text)
                    .append("\">")
                    .append(text)
                    .append("</a></li>");
        }
        return page.append("</ul></body></html>\n").toString();
    }

    private static boolean wantsJson(Optional<String> accept) {
        return accept.filter(types -> types.contains("json")).isPresent();
    }

    private static boolean wantsText(Optional<String> accept) {
        return !wantsJson(accept)
                && accept.filter(types -> types.contains("text/html") || types.contains("text/plain"))
                        .isPresent();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }
}
