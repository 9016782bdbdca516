package dev.hearth.testkit;

import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Bytes;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Passes HTTP requests to the handlers of a simulated process; the handler with the longest prefix of whole path
 * segments wins. Stateless.
 */
final class SimulatedHttp {
    private static final int NOT_FOUND = 404;
    private static final int FAILED = 500;

    private SimulatedHttp() {}

    static CompletionStage<HttpAnswer> ask(SimulatedProcess process, String method, String pathAndQuery, Bytes body) {
        CompletableFuture<HttpAnswer> answered = new CompletableFuture<>();
        process.later(
                process.simulation().network().delay(process, process),
                () -> answer(process, method, pathAndQuery, body, answered));
        return answered;
    }

    private static void answer(
            SimulatedProcess process,
            String method,
            String pathAndQuery,
            Bytes body,
            CompletableFuture<HttpAnswer> answered) {
        int mark = pathAndQuery.indexOf('?');
        String path = mark < 0 ? pathAndQuery : pathAndQuery.substring(0, mark);
        Optional<Map.Entry<String, HttpHandler>> found = find(process, path);
        if (found.isEmpty()) {
            answered.complete(HttpAnswer.text(NOT_FOUND, path + ": nothing is served there by " + process.name()));
            return;
        }
        Map<String, List<String>> query = mark < 0 ? Map.of() : query(pathAndQuery.substring(mark + 1));
        HttpRequest request =
                new HttpRequest(method, path, found.get().getKey(), query, Map.of(), body, "simulated client", false);
        try {
            found.get().getValue().handle(request).whenComplete((answer, failure) -> {
                if (failure == null) {
                    answered.complete(answer);
                } else {
                    answered.complete(failed(process, pathAndQuery, failure));
                }
            });
        } catch (RuntimeException failure) {
            answered.complete(failed(process, pathAndQuery, failure));
        }
    }

    private static HttpAnswer failed(SimulatedProcess process, String request, Throwable failure) {
        process.simulation().note(process.name() + ": " + request + " failed: " + failure);
        return HttpAnswer.text(FAILED, request + ": failed; the log of " + process.name() + " says more");
    }

    private static Optional<Map.Entry<String, HttpHandler>> find(SimulatedProcess process, String path) {
        return process.envs().stream()
                .flatMap(env -> env.handlers().entrySet().stream())
                .filter(entry -> isBelow(path, entry.getKey()))
                .max((a, b) -> Integer.compare(a.getKey().length(), b.getKey().length()));
    }

    private static boolean isBelow(String path, String prefix) {
        return path.equals(prefix) || path.startsWith(prefix.endsWith("/") ? prefix : prefix + "/");
    }

    private static Map<String, List<String>> query(String text) {
        Map<String, List<String>> query = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equal = pair.indexOf('=');
            String name = equal < 0 ? pair : pair.substring(0, equal);
            String value = equal < 0 ? "" : pair.substring(equal + 1);
            query.computeIfAbsent(decode(name), key -> new ArrayList<>()).add(decode(value));
        }
        return Collections.unmodifiableMap(query);
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
