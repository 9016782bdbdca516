package dev.hearth.launcher;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks masters by Spark's submission protocol over HTTP, version 1. The masters of a list are asked in turn until one of
 * them answers; that one is asked first from then on. Used by one thread.
 */
final class RestClient implements FollowedCluster {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int BAD_REQUEST = 400;
    private static final int SERVER_ERROR = 500;
    private static final String PATH = "/v1/submissions/";
    private static final String NO_SUCH = "NOT_FOUND";
    /** Begin of the answer of a master that does not lead. */
    private static final String STANDBY = "Current state is not alive";

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(CONNECT_WITHIN)
            .build();
    private final List<String> masters;
    private final String token;

    /** {@code token} is sent as a bearer token unless it is empty. */
    RestClient(String master, String token) {
        this.masters = addresses(master);
        this.token = token;
    }

    /** The addresses of a master URL, such as {@code hearth://a:7077,b:7077} or {@code https://a}. */
    static List<String> addresses(String master) {
        int scheme = master.indexOf("://");
        String protocol = scheme < 0 ? "" : master.substring(0, scheme);
        if (!List.of("hearth", "spark", "http", "https").contains(protocol)) {
            throw new IllegalArgumentException(
                    "master " + master + ": no standalone master (expected: hearth://host:port,"
                            + " spark://host:port, http://host:port or https://host:port); start other masters by Launcher");
        }
        String http = protocol.equals("https") ? "https://" : "http://";
        List<String> found = new ArrayList<>();
        for (String address : master.substring(scheme + "://".length()).split(",", -1)) {
            try {
                found.add(URI.create(http + AbstractLauncher.given("address in master " + master, address))
                        .toString());
            } catch (IllegalArgumentException wrong) {
                throw new IllegalArgumentException(
                        "master " + master + ": '" + address + "' (expected: host:port)", wrong);
            }
        }
        return found;
    }

    /** Returns the creation of a submission by {@code body}. A repeated request creates no second one. */
    Creation creation(String body) {
        String key = UUID.randomUUID().toString();
        return () -> {
            Map<String, String> answer = ask("create", BodyPublishers.ofString(body, StandardCharsets.UTF_8), key);
            String id = answer.getOrDefault("submissionId", "");
            if (id.isEmpty()) {
                throw new Refused(
                        "SUBMISSION_REFUSED", answer.getOrDefault("message", "submission: no id in the answer"));
            }
            return id;
        };
    }

    @Override
    public SubmissionAnswer status(String id) throws IOException, InterruptedException {
        Map<String, String> answer = ask("status/" + id, null, "");
        String state = answer.getOrDefault("driverState", "");
        if (state.isEmpty() || state.equals(NO_SUCH)) {
            throw new Refused(
                    "SUBMISSION_UNKNOWN",
                    answer.getOrDefault(
                            "message", "submission " + id + ": unknown to its master (expected: known there)"));
        }
        String place = answer.getOrDefault("workerHostPort", "");
        return new SubmissionAnswer(
                state,
                answer.getOrDefault("message", ""),
                OptionalInt.empty(),
                place.isEmpty() ? Map.of() : Map.of("worker", "http://" + place));
    }

    @Override
    public void kill(String id) throws IOException, InterruptedException {
        ask("kill/" + id, BodyPublishers.noBody(), "");
    }

    /** Asks each master in turn; a POST if there is a body. Fails with the reasons of all if none has answered. */
    private Map<String, String> ask(String what, @Nullable BodyPublisher body, String key)
            throws IOException, InterruptedException {
        List<String> reasons = new ArrayList<>();
        for (String master : List.copyOf(masters)) {
            try {
                Map<String, String> answer = ask(URI.create(master + PATH + what), body, key);
                masters.remove(master);
                masters.add(0, master);
                return answer;
            } catch (Refused refused) {
                throw refused;
            } catch (IOException failed) {
                reasons.add(master + ": " + failed);
            }
        }
        throw new IOException(
                "masters " + masters + ": no answer (expected: one of them answers): " + String.join("; ", reasons));
    }

    private Map<String, String> ask(URI address, @Nullable BodyPublisher body, String key)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(address).timeout(ANSWER_WITHIN);
        if (body != null) {
            request.POST(body).header("Content-Type", "application/json;charset=utf-8");
        }
        if (!key.isEmpty()) {
            request.header("Idempotency-Key", key);
        }
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString(StandardCharsets.UTF_8));
        int status = response.statusCode();
        if (status == UNAUTHORIZED || status == FORBIDDEN) {
            throw new Refused(
                    "NOT_AUTHENTICATED",
                    "master " + address.getAuthority() + ": refuses the request with status " + status
                            + " (expected: a token that it knows)");
        }
        if (status >= SERVER_ERROR) {
            throw new IOException("status " + status);
        }
        Map<String, String> answer = JsonFields.of(response.body());
        String message = answer.getOrDefault("message", "status " + status);
        if (message.startsWith(STANDBY)) {
            throw new IOException(message);
        }
        if (status >= BAD_REQUEST) {
            throw new Refused("SUBMISSION_REFUSED", message);
        }
        return answer;
    }
}
