package dev.hearth.rpc.internal.http;

import dev.hearth.spi.http.EventSource.Event;
import dev.hearth.spi.http.EventSource.Listener;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts requests, and serves the count as a page, as JSON and as events. Any thread may call. */
public final class ExampleHandler implements HttpHandler {
    private final AtomicInteger count = new AtomicInteger();
    private final Set<Listener> listeners = ConcurrentHashMap.newKeySet();

    @Override
    public CompletionStage<HttpAnswer> handle(HttpRequest request) {
        HttpAnswer answer = switch (request.method() + " " + request.rest()) {
            case "GET ", "HEAD " -> HttpAnswer.html(200, "<!doctype html><title>Count</title><p>" + count);
            case "GET count" -> HttpAnswer.json(200, "{\"count\":" + count + "}");
            case "POST count" -> counted();
            case "GET events" -> HttpAnswer.events(this::opened);
            default -> HttpAnswer.text(404, request.path() + ": nothing is here");
        };
        return CompletableFuture.completedStage(answer);
    }

    private HttpAnswer counted() {
        String now = String.valueOf(count.incrementAndGet());
        listeners.forEach(listener -> listener.send(new Event(now, "count", now)));
        return HttpAnswer.json(200, "{\"count\":" + now + "}");
    }

    private void opened(Listener listener, Optional<String> lastEventId) {
        listeners.add(listener);
        listener.whenClosed(() -> listeners.remove(listener));
        listener.send(Event.of("count", String.valueOf(count)));
    }
}
