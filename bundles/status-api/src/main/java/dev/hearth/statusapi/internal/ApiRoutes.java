package dev.hearth.statusapi.internal;

import com.fasterxml.jackson.core.JsonFactory;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ApplicationView;
import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import dev.hearth.spi.time.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Routes of {@code /api/v1}: finds the resource for a request path and writes it as JSON. Immutable. */
final class ApiRoutes {
    private static final List<String> RESOURCES =
            List.of("jobs", "stages", "executors", "allexecutors", "allmiscellaneousprocess", "environment", "storage");

    private static final int THREADS_AT = 4; // position of the word "threads" in a path without an application attempt

    private final RunningApplications applications;
    private final String version;
    private final Ticker ticker;
    private final JsonFactory json = new JsonFactory();

    ApiRoutes(RunningApplications applications, String version, Ticker ticker) {
        this.applications = applications;
        this.version = version;
        this.ticker = ticker;
    }

    CompletionStage<HttpAnswer> answer(HttpRequest request) {
        try {
            Optional<RunningApplication> asked = askedForThreads(request);
            if (asked.isPresent()) {
                return threads(asked.get(), request);
            }
            return CompletableFuture.completedStage(JsonBody.answer(json, body(request)));
        } catch (RequestRefusedException refused) {
            return CompletableFuture.completedStage(refused.answer());
        }
    }

    /**
     * Returns the application named by the path {@code applications/ID[/ATTEMPT]/executors/EXECUTOR/threads}; empty for
     * other paths. Such a path has its own route, because thread dumps are answered asynchronously.
     */
    private Optional<RunningApplication> askedForThreads(HttpRequest request) {
        List<String> path = List.of(request.rest().split("/"));
        int last = path.size() - 1;
        boolean threads = (last == THREADS_AT || last == THREADS_AT + 1)
                && path.get(0).equals("applications")
                && path.get(last - 2).equals("executors")
                && path.get(last).equals("threads");
        return !threads || !isRead(request)
                ? Optional.empty()
                : applications.running().stream()
                        .filter(each -> each.status().application().id().equals(path.get(1)))
                        .filter(each -> last == THREADS_AT
                                || path.get(2)
                                        .equals(each.status().application().attempt()))
                        .findFirst();
    }

    private CompletionStage<HttpAnswer> threads(RunningApplication application, HttpRequest request) {
        List<String> path = List.of(request.rest().split("/"));
        String executor = path.get(path.size() - 2);
        if (application.status().application().endedMillis().isPresent()) {
            throw RequestRefusedException.notFound("no threads: the application has ended");
        }
        return application
                .threads(executor)
                .thenApply(found -> found.map(
                                each -> JsonBody.answer(json, JsonBody.array(each, ApplicationJson::thread)))
                        .orElseGet(() -> RequestRefusedException.notFound(
                                        "no threads: executor " + executor + " is not there")
                                .answer()))
                .exceptionally(failure -> RequestRefusedException.notFound(
                                "no threads: executor " + executor + " does not answer: " + Failures.describe(failure))
                        .answer());
    }

    private static boolean isRead(HttpRequest request) {
        return request.method().equals("GET") || request.method().equals("HEAD");
    }

    private JsonBody body(HttpRequest request) {
        if (!isRead(request)) {
            throw RequestRefusedException.method(request.method());
        }
        List<String> path = new ArrayList<>(List.of(request.rest().split("/")));
        QueryParameters parameters = new QueryParameters(request);
        String first = path.remove(0);
        if (first.equals("version") && path.isEmpty()) {
            return out -> {
                out.writeStartObject();
                out.writeStringField("spark", version); // clients written for Spark expect this field
                out.writeEndObject();
            };
        }
        if (!first.equals("applications")) {
            throw RequestRefusedException.notFound(request.path() + ": nothing is here");
        }
        return path.isEmpty() ? list(parameters) : application(request, path, parameters);
    }

    private JsonBody list(QueryParameters parameters) {
        List<String> wanted = parameters.words("status", "COMPLETED", "RUNNING");
        long nowMillis = ticker.wall().toEpochMilli();
        long minStart = parameters.millis("minDate", Long.MIN_VALUE, false);
        long maxStart = parameters.millis("maxDate", Long.MAX_VALUE, true);
        long minEnd = parameters.millis("minEndDate", Long.MIN_VALUE, false);
        long maxEnd = parameters.millis("maxEndDate", Long.MAX_VALUE, true);
        List<ApplicationView> found = applications.running().stream()
                .map(running -> running.status().application())
                .filter(view ->
                        wanted.isEmpty() || wanted.contains(view.endedMillis().isPresent() ? "COMPLETED" : "RUNNING"))
                .filter(view -> view.startedMillis() >= minStart && view.startedMillis() <= maxStart)
                .filter(view -> view.endedMillis().isPresent()
                        ? view.endedMillis().getAsLong() >= minEnd
                                && view.endedMillis().getAsLong() <= maxEnd
                        : maxEnd > nowMillis)
                .limit(parameters.whole("limit", Integer.MAX_VALUE))
                .toList();
        return JsonBody.array(found, (view, out) -> ApplicationJson.application(view, version, nowMillis, out));
    }

    private JsonBody application(HttpRequest request, List<String> path, QueryParameters parameters) {
        String id = path.remove(0);
        boolean attempted = !path.isEmpty() && !RESOURCES.contains(path.get(0));
        Optional<String> attempt = attempted ? Optional.of(path.remove(0)) : Optional.empty();
        Optional<ApplicationStatus> found = applications.running().stream()
                .map(running -> running.status())
                .filter(each -> each.application().id().equals(id))
                .filter(each -> attempt.isEmpty()
                        || attempt.get().equals(each.application().attempt()))
                .findFirst();
        if (path.isEmpty()) {
            ApplicationView view = found.orElseThrow(() -> RequestRefusedException.notFound(
                            attempt.isEmpty()
                                    ? "unknown app: " + id
                                    : "unknown app " + id + ", attempt " + attempt.get()))
                    .application();
            long nowMillis = ticker.wall().toEpochMilli();
            return attempt.isEmpty()
                    ? out -> ApplicationJson.application(view, version, nowMillis, out)
                    : out -> ApplicationJson.attempt(view, version, nowMillis, out);
        }
        ApplicationStatus status = found.orElseThrow(() -> RequestRefusedException.notFound(
                "no such app: " + id + attempt.map(name -> "/" + name).orElse("")));
        return new ApplicationResources(status, parameters)
                .body(path)
                .orElseThrow(() -> RequestRefusedException.notFound(request.path() + ": nothing is here"));
    }
}
