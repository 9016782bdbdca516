package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.json.Json;
import dev.hearth.spi.error.Failures;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The API server over connections of our own, with watches and streams by the HTTP client of fabric8. A request that the server does not authenticate is
 * sent once more if there are newer credentials. Thread-safe; answers arrive on threads of the client.
 */
final class FabricApiServer implements ApiServer {
    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final int UNAUTHORIZED = 401;
    private static final int CONFLICT = 409;

    private final HttpConnections connections;
    private final String address;
    private final String namespace;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** The API server of {@code connections}, whose use it ends. */
    FabricApiServer(HttpConnections connections, String namespace) {
        this.connections = connections;
        this.address = connections.address();
        this.namespace = namespace;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public void create(ApiObject object, Consumer<Answer> answer) {
        ApiRequest request = ApiRequest.of("POST", uri(object.resource(), ""), JSON, object.json());
        send(request, answer, response -> {
            if (response.isSuccessful()) {
                return object(response);
            }
            boolean exists = response.code() == CONFLICT
                    && status(response).path("reason").asText().equals("AlreadyExists");
            if (exists) {
                read(object.resource(), object.name(), found -> answer.accept(existing(found, object)));
                return Optional.empty(); // answered by the request above
            }
            return Optional.of(refused(response));
        });
    }

    @Override
    public void delete(
            Resource resource, String name, Optional<String> uid, OptionalInt graceSeconds, Consumer<Answer> answer) {
        ObjectNode options = options(graceSeconds);
        uid.ifPresent(value -> options.putObject("preconditions").put("uid", value));
        delete(resource, name, options, answer);
    }

    @Override
    public void deleteUnchanged(Resource resource, ObjectFacts seen, Consumer<Answer> answer) {
        ObjectNode options = options(OptionalInt.empty());
        options.putObject("preconditions").put("uid", seen.uid()).put("resourceVersion", seen.version());
        delete(resource, seen.name(), options, answer);
    }

    private void delete(Resource resource, String name, ObjectNode options, Consumer<Answer> answer) {
        send(ApiRequest.of("DELETE", uri(resource, "/" + name), JSON, Json.text(options)), answer, this::effect);
    }

    @Override
    public void deleteAll(Resource resource, String selector, OptionalInt graceSeconds, Consumer<Answer> answer) {
        String options = Json.text(options(graceSeconds));
        String query = "?labelSelector=" + encoded(selector);
        send(ApiRequest.of("DELETE", uri(resource, query), JSON, options), answer, this::effect);
    }

    @Override
    public void patch(Resource resource, String name, String patch, Consumer<Answer> answer) {
        send(ApiRequest.of("PATCH", uri(resource, "/" + name), MERGE_PATCH, patch), answer, this::object);
    }

    @Override
    public void read(Resource resource, String name, Consumer<Answer> answer) {
        send(ApiRequest.get(uri(resource, "/" + name)), answer, this::object);
    }

    @Override
    public void list(Resource resource, String selector, String next, Consumer<Answer> answer) {
        String page = next.isEmpty() ? "" : "&continue=" + encoded(next);
        String query = "?limit=" + PAGE_MAX + "&labelSelector=" + encoded(selector) + page;
        send(ApiRequest.get(uri(resource, query)), answer, response -> {
            if (!response.isSuccessful()) {
                return Optional.of(refused(response));
            }
            return Optional.of(ListReader.read(response.body(), serverSeconds(response)));
        });
    }

    @Override
    public Watch watch(Resource resource, String selector, String version, WatchListener listener) {
        String query = "?watch=true&allowWatchBookmarks=true&timeoutSeconds=270&labelSelector=" + encoded(selector)
                + "&resourceVersion=" + encoded(version);
        WatchStream stream = new WatchStream(listener, address);
        connections.use().whenComplete((use, failure) -> {
            if (failure == null) {
                watch(use, uri(resource, query), stream, true);
            } else {
                stream.end(withoutCredentials(failure));
            }
        });
        return stream;
    }

    private void watch(HttpConnections.Use use, String uri, WatchStream stream, boolean first) {
        stream.whenEnded(use::close);
        if (stream.hasEnded()) {
            return; // it was stopped before it began
        }
        CompletionStage<HttpResponse<AsyncBody>> begun;
        try {
            HttpRequest request = use.authorize(
                            use.http().newHttpRequestBuilder().uri(uri))
                    .forStreaming()
                    .build();
            begun = use.http().consumeBytes(request, stream);
        } catch (RuntimeException closed) {
            begun = CompletableFuture.failedFuture(closed);
        }
        begun.whenComplete((response, failure) -> {
            if (failure != null) {
                stream.end(unknown(address, failure));
            } else if (response.isSuccessful()) {
                stream.open(response.body());
            } else {
                response.body().cancel();
                Answer refused = Refusals.of(
                        response.code(),
                        Json.object(),
                        Optional.ofNullable(response.header("Retry-After")).orElse(""));
                if (response.code() == UNAUTHORIZED && first) {
                    use.close();
                    again(use, newer -> watch(newer, uri, stream, false), () -> stream.end(refused));
                } else {
                    stream.end(refused);
                }
            }
        });
    }

    @Override
    public void logTail(String pod, String container, int bytesMax, Consumer<Answer> answer) {
        String query = "/" + pod + "/log?container=" + encoded(container) + "&tailLines=200&limitBytes=" + bytesMax;
        send(
                ApiRequest.get(uri(Resource.POD, query)),
                answer,
                response -> Optional.of(
                        response.isSuccessful()
                                ? new Answer.Text(new String(response.body(), UTF_8))
                                : refused(response)));
    }

    @Override
    public void version(Consumer<Answer> answer) {
        send(ApiRequest.get(address + (address.endsWith("/") ? "" : "/") + "version"), answer, response -> {
            if (!response.isSuccessful()) {
                return Optional.of(refused(response));
            }
            JsonNode version = Json.read(response.body());
            return Optional.of(new Answer.Text(
                    version.path("major").asText() + "." + version.path("minor").asText()));
        });
    }

    @Override
    public ForwardedPort forward(String pod, int port) throws IOException {
        String uri = uri(Resource.POD, "/" + pod + "/portforward?ports=" + port);
        return PodForward.open(connections, uri, "port " + port + " of pod " + pod);
    }

    /** Another user of the same connections, with an end of its own; empty if they are closed. */
    Optional<FabricApiServer> share() {
        return connections.share() ? Optional.of(new FabricApiServer(connections, namespace)) : Optional.empty();
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            connections.close();
        }
    }

    private static Answer existing(Answer found, ApiObject object) {
        if (found instanceof Answer.Done done && done.object().isPresent()) {
            return new Answer.Exists(done.object().get());
        }
        return new Answer.Unknown(object + ": exists, but cannot be read");
    }

    private Optional<Answer> object(ApiResponse response) throws IOException {
        return Optional.of(
                response.isSuccessful()
                        ? new Answer.Done(Optional.of(ListReader.object(response.body())))
                        : refused(response));
    }

    private Optional<Answer> effect(ApiResponse response) {
        return Optional.of(response.isSuccessful() ? new Answer.Done(Optional.empty()) : refused(response));
    }

    /** Sends one request; {@code reader} returns its answer, or nothing if it passes it on itself. */
    private void send(ApiRequest request, Consumer<Answer> answer, Reader reader) {
        connections.use().whenComplete((use, failure) -> {
            if (failure == null) {
                send(use, request, answer, reader, true);
            } else {
                answer.accept(withoutCredentials(failure));
            }
        });
    }

    /** A request that is not authenticated had no effect, so it is sent once more if there are other credentials. */
    private void send(
            HttpConnections.Use use, ApiRequest request, Consumer<Answer> answer, Reader reader, boolean first) {
        send(use, request).whenComplete((response, failure) -> {
            use.close();
            if (failure == null && response.code() == UNAUTHORIZED && first) {
                again(
                        use,
                        newer -> send(newer, request, answer, reader, false),
                        () -> conclude(response, null, answer, reader));
            } else {
                conclude(response, failure, answer, reader);
            }
        });
    }

    private static CompletionStage<ApiResponse> send(HttpConnections.Use use, ApiRequest request) {
        try {
            return use.send(request);
        } catch (RuntimeException closed) {
            return CompletableFuture.failedFuture(closed);
        }
    }

    /** Runs {@code attempt} with the credentials that came after those of {@code refused}, or else {@code giveUp}. */
    private void again(HttpConnections.Use refused, Consumer<HttpConnections.Use> attempt, Runnable giveUp) {
        connections.useAfter(refused).whenComplete((newer, failure) -> {
            if (failure == null && newer.isPresent()) {
                attempt.accept(newer.get());
            } else {
                giveUp.run();
            }
        });
    }

    private void conclude(ApiResponse response, @Nullable Throwable failure, Consumer<Answer> answer, Reader reader) {
        Optional<Answer> made;
        try {
            made = failure == null ? reader.read(response) : Optional.of(unknown(address, failure));
        } catch (IOException unreadable) {
            made = Optional.of(unknown(address, unreadable));
        }
        made.ifPresent(answer);
    }

    /** The answer to a request that was not sent, as there are no credentials; after a pause they are read again. */
    private Answer withoutCredentials(Throwable failure) {
        Throwable cause = Failures.unwrap(failure);
        return cause instanceof IOException
                ? new Answer.Refused(RefusalKind.UNAUTHENTICATED, String.valueOf(cause.getMessage()))
                : unknown(address, cause);
    }

    private Answer refused(ApiResponse response) {
        return Refusals.of(response.code(), status(response), retryAfter(response));
    }

    /** The status in a refusal; an empty object if there is none, as from a proxy or a server with too many requests. */
    private JsonNode status(ApiResponse response) {
        try {
            return Json.read(response.body());
        } catch (IOException words) {
            return Json.object();
        }
    }

    private ObjectNode options(OptionalInt graceSeconds) {
        ObjectNode options = Json.object()
                .put("kind", "DeleteOptions")
                .put("apiVersion", "v1")
                .put("propagationPolicy", "Background");
        graceSeconds.ifPresent(seconds -> options.put("gracePeriodSeconds", seconds));
        return options;
    }

    private String uri(Resource resource, String rest) {
        return address + (address.endsWith("/") ? "" : "/") + resource.path() + "/namespaces/" + namespace + "/"
                + resource.plural() + rest;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String retryAfter(ApiResponse response) {
        return response.header("retry-after").orElse("");
    }

    private static long serverSeconds(ApiResponse response) {
        try {
            return response.header("date")
                    .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toEpochSecond())
                    .orElse(0L);
        } catch (DateTimeException malformed) {
            return 0; // unknown
        }
    }

    static Answer unknown(String address, Throwable failure) {
        boolean isLate = Failures.unwrap(failure) instanceof TimeoutException;
        return new Answer.Unknown(
                "no answer of " + address + ": " + (isLate ? "its time is over" : Failures.describe(failure)));
    }

    /** Reads the answer from a response. */
    @FunctionalInterface
    private interface Reader {
        Optional<Answer> read(ApiResponse response) throws IOException;
    }
}
