package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.spi.error.Failures;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The API server by the HTTP client of fabric8, without its retries. Thread-safe; answers arrive on its threads. */
final class FabricApiServer implements ApiServer {
    private static final String JSON = "application/json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final int CONFLICT = 409;

    private final HttpClient http;
    private final String address;
    private final String namespace;
    private final ObjectMapper mapper = new ObjectMapper();

    /** The API server at {@code address}, a URL. */
    FabricApiServer(HttpClient http, String address, String namespace) {
        this.http = http;
        this.address = address;
        this.namespace = namespace;
    }

    @Override
    public String namespace() {
        return namespace;
    }

    @Override
    public void create(ApiObject object, Consumer<Answer> answer) {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(uri(object.resource(), ""))
                .post(JSON, object.json())
                .build();
        send(request, answer, response -> {
            JsonNode status = body(response);
            boolean exists = response.code() == CONFLICT
                    && status.path("reason").asText().equals("AlreadyExists");
            if (exists) {
                read(object.resource(), object.name(), found -> answer.accept(existing(found, object)));
                return Optional.empty(); // answered by the request above
            }
            return Optional.of(
                    response.isSuccessful()
                            ? new Answer.Done(Optional.of(ObjectReader.read(status)))
                            : refused(response));
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
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(uri(resource, "/" + name))
                .delete(JSON, options.toString())
                .build();
        send(request, answer, this::effect);
    }

    @Override
    public void deleteAll(Resource resource, String selector, OptionalInt graceSeconds, Consumer<Answer> answer) {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(uri(resource, "?labelSelector=" + encoded(selector)))
                .delete(JSON, options(graceSeconds).toString())
                .build();
        send(request, answer, this::effect);
    }

    @Override
    public void patch(Resource resource, String name, String patch, Consumer<Answer> answer) {
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(uri(resource, "/" + name))
                .patch(MERGE_PATCH, patch)
                .build();
        send(request, answer, this::object);
    }

    @Override
    public void read(Resource resource, String name, Consumer<Answer> answer) {
        send(get(uri(resource, "/" + name)), answer, this::object);
    }

    @Override
    public void list(Resource resource, String selector, String next, Consumer<Answer> answer) {
        String page = next.isEmpty() ? "" : "&continue=" + encoded(next);
        String query = "?limit=" + PAGE_MAX + "&labelSelector=" + encoded(selector) + page;
        send(get(uri(resource, query)), answer, response -> {
            if (!response.isSuccessful()) {
                return Optional.of(refused(response));
            }
            JsonNode list = body(response);
            List<ObjectFacts> objects = new ArrayList<>();
            list.path("items").forEach(item -> objects.add(ObjectReader.read(item)));
            JsonNode metadata = list.path("metadata");
            return Optional.of(new Answer.Page(
                    objects,
                    metadata.path("resourceVersion").asText(),
                    metadata.path("continue").asText(),
                    serverSeconds(response)));
        });
    }

    @Override
    public Watch watch(Resource resource, String selector, String version, WatchListener listener) {
        String query = "?watch=true&allowWatchBookmarks=true&timeoutSeconds=270&labelSelector=" + encoded(selector)
                + "&resourceVersion=" + encoded(version);
        HttpRequest request = http.newHttpRequestBuilder()
                .uri(uri(resource, query))
                .forStreaming()
                .build();
        WatchStream stream = new WatchStream(listener, mapper, address);
        CompletionStage<HttpResponse<AsyncBody>> begun = http.consumeBytes(request, stream);
        begun.whenComplete((response, failure) -> {
            if (failure != null) {
                stream.end(unknown(address, failure));
            } else if (response.isSuccessful()) {
                stream.open(response.body());
            } else {
                response.body().cancel();
                stream.end(Refusals.of(response.code(), JsonNodeFactory.instance.objectNode(), retryAfter(response)));
            }
        });
        return stream;
    }

    @Override
    public void logTail(String pod, String container, int bytesMax, Consumer<Answer> answer) {
        String query = "/" + pod + "/log?container=" + encoded(container) + "&tailLines=200&limitBytes=" + bytesMax;
        send(
                get(uri(Resource.POD, query)),
                answer,
                response -> Optional.of(
                        response.isSuccessful()
                                ? new Answer.Text(new String(response.body(), UTF_8))
                                : refused(response)));
    }

    @Override
    public ForwardedPort forward(String pod, int port) throws IOException {
        return PodForward.open(
                http, uri(Resource.POD, "/" + pod + "/portforward?ports=" + port), "port " + port + " of pod " + pod);
    }

    @Override
    public void close() {
        http.close();
    }

    private static Answer existing(Answer found, ApiObject object) {
        if (found instanceof Answer.Done done && done.object().isPresent()) {
            return new Answer.Exists(done.object().get());
        }
        return new Answer.Unknown(object + ": exists, but cannot be read");
    }

    private Optional<Answer> object(HttpResponse<byte[]> response) throws IOException {
        return Optional.of(
                response.isSuccessful()
                        ? new Answer.Done(Optional.of(ObjectReader.read(body(response))))
                        : refused(response));
    }

    private Optional<Answer> effect(HttpResponse<byte[]> response) {
        return Optional.of(response.isSuccessful() ? new Answer.Done(Optional.empty()) : refused(response));
    }

    /** Sends one request; {@code reader} returns its answer, or nothing if it passes it on itself. */
    private void send(HttpRequest request, Consumer<Answer> answer, Reader reader) {
        CompletionStage<HttpResponse<byte[]>> sent = http.sendAsync(request, byte[].class);
        sent.whenComplete((response, failure) -> {
            Optional<Answer> made;
            try {
                made = failure == null ? reader.read(response) : Optional.of(unknown(address, failure));
            } catch (IOException unreadable) {
                made = Optional.of(unknown(address, unreadable));
            }
            made.ifPresent(answer);
        });
    }

    private Answer refused(HttpResponse<byte[]> response) {
        JsonNode status;
        try {
            status = body(response);
        } catch (IOException noStatus) {
            status = JsonNodeFactory.instance.objectNode(); // a proxy answers in words of its own
        }
        return Refusals.of(response.code(), status, retryAfter(response));
    }

    private JsonNode body(HttpResponse<byte[]> response) throws IOException {
        return mapper.readTree(response.body());
    }

    private HttpRequest get(String uri) {
        return http.newHttpRequestBuilder().uri(uri).build();
    }

    private ObjectNode options(OptionalInt graceSeconds) {
        ObjectNode options = JsonNodeFactory.instance
                .objectNode()
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

    private static String retryAfter(HttpResponse<?> response) {
        return Optional.ofNullable(response.header("Retry-After")).orElse("");
    }

    private static long serverSeconds(HttpResponse<?> response) {
        try {
            return Optional.ofNullable(response.header("Date"))
                    .map(date -> ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                            .toEpochSecond())
                    .orElse(0L);
        } catch (DateTimeException malformed) {
            return 0; // unknown
        }
    }

    static Answer unknown(String address, Throwable failure) {
        return new Answer.Unknown("no answer of " + address + ": " + Failures.describe(failure));
    }

    /** Reads the answer from a response. */
    @FunctionalInterface
    private interface Reader {
        Optional<Answer> read(HttpResponse<byte[]> response) throws IOException;
    }
}
