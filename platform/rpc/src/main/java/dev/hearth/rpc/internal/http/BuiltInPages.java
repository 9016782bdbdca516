package dev.hearth.rpc.internal.http;

import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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

    /** Path that a handler serves, and what the handler says about it; empty if it says nothing. */
    record Route(String path, String description) {
        private String json() {
            return "{\"path\":" + JsonText.quoted(path) + ",\"description\":" + JsonText.quoted(description) + "}";
        }
    }

    /**
     * Creates the default response to {@code /}: what this process is, and what it serves. For a client that is not
     * {@code admitted}, the page does not reveal what the process is. {@code base} is the path below which a proxy
     * publishes the server, for links, and {@code url} the address that the client has used.
     */
    RenderedResponse index(List<Route> routes, boolean admitted, String base, String url, Optional<String> accept) {
        Map<String, String> facts = new LinkedHashMap<>();
        if (admitted) {
            facts.put("version", conditions.version());
            facts.put("url", url);
            conditions
                    .since()
                    .ifPresent(since -> facts.put(
                            "since", since.truncatedTo(ChronoUnit.SECONDS).toString()));
            facts.put("state", "running");
            facts.values().removeIf(String::isEmpty);
        }
        String name = admitted ? conditions.name() : "Hearth";
        if (wantsJson(accept)) {
            StringBuilder json = new StringBuilder("{\"name\":").append(JsonText.quoted(name));
            json.append(facts.containsKey("version") ? "" : ",\"version\":\"\"");
            facts.forEach((fact, value) ->
                    json.append(",\"").append(fact).append("\":").append(JsonText.quoted(value)));
            return list(200, json + "," + json(routes) + "}\n", JSON);
        }
        StringBuilder lines = new StringBuilder();
        facts.forEach((fact, value) -> lines.append("<dt>")
                .append(escaped(fact))
                .append("</dt><dd>")
                .append(escaped(value))
                .append("</dd>"));
        return list(200, page(name, lines.isEmpty() ? "" : "<dl>" + lines + "</dl>", base, routes), HTML);
    }

    /** Creates the response for a path without a handler; {@code base} as for {@link #index}. */
    RenderedResponse nothingAt(String path, List<Route> routes, String base, Optional<String> accept) {
        List<String> paths = routes.stream().map(Route::path).toList();
        String message =
                path + ": nothing is served here (expected: a path below " + (paths.isEmpty() ? "none" : paths) + ")";
        if (wantsJson(accept)) {
            return list(
                    HttpError.NOT_FOUND.status(),
                    "{\"code\":\"" + HttpError.NOT_FOUND + "\",\"message\":" + JsonText.quoted(message) + ","
                            + json(routes) + "}\n",
                    JSON);
        }
        String line = "<p>Nothing is served at <code>" + escaped(path) + "</code>.</p>";
        return list(HttpError.NOT_FOUND.status(), page("Not found", line, base, routes), HTML);
    }

    private static String json(List<Route> routes) {
        return "\"paths\":" + JsonText.list(routes.stream().map(Route::path).toList()) + ",\"routes\":["
                + routes.stream().map(Route::json).collect(Collectors.joining(",")) + "]";
    }

    private static RenderedResponse list(int status, String text, String type) {
        return RenderedResponse.text(status, type, text)
                .with("Cache-Control", "no-store")
                .with("Vary", "Accept");
    }

    private static String page(String title, String line, String base, List<Route> routes) {
        StringBuilder page = new StringBuilder(
                        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>")
                .append(escaped(title))
                .append("</title></head><body><h1>")
                .append(escaped(title))
                .append("</h1>")
                .append(line)
                .append("<p>")
                .append(routes.isEmpty() ? "No path is served." : "Served paths:")
                .append("</p><ul>");
        for (Route route : routes) {
            String text = escaped(route.path());
            page.append("<li><a href=\"")
                    .append(escaped(base))
                    .append(text)
                    .append("\">")
                    .append(text)
                    .append("</a>")
                    .append(route.description().isEmpty() ? "" : ": " + escaped(route.description()))
                    .append("</li>");
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
