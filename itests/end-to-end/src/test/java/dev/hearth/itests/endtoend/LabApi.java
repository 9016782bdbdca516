package dev.hearth.itests.endtoend;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The API server of the lab over HTTP, as its administrator: what the tests look at often. */
final class LabApi {
    private static final String TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final Pattern ROW =
            Pattern.compile("\"cells\":\\[\"([^\"]+)\",\"[^\"]*\",\"([^\"]+)\"", Pattern.DOTALL);

    private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

    private static final Pattern REMAINING = Pattern.compile("\"remainingItemCount\":(\\d+)");

    /** A server under load may take long; one without an answer must not hold up a test until its limit. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(20);

    private final HttpClient http;
    private final String url;
    private final String token;

    LabApi(String url, Path caFile, String token) throws IOException {
        this.url = url;
        this.token = token;
        this.http = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusting(caFile))
                .build();
    }

    /** A pod as kubectl lists it: {@code status} is Running, Terminating, ErrImageNeverPull and the like. */
    record Pod(String name, String status) {}

    /** The pods of a namespace whose labels match {@code selector}. */
    List<Pod> pods(String namespace, String selector) throws IOException, InterruptedException {
        String query = "?labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
        String text = get("/api/v1/namespaces/" + namespace + "/pods" + query, TABLE);
        List<Pod> pods = new ArrayList<>();
        Matcher rows = ROW.matcher(text);
        while (rows.find()) {
            pods.add(new Pod(rows.group(1), rows.group(2)));
        }
        return pods;
    }

    /** The same pods, read in pages of {@code limit}, each in a request of its own. */
    List<Pod> pages(String namespace, String selector, int limit) throws IOException, InterruptedException {
        String query = "?limit=" + limit + "&labelSelector=" + URLEncoder.encode(selector, StandardCharsets.UTF_8);
        List<Pod> pods = new ArrayList<>();
        String next = "";
        do {
            String text = get("/api/v1/namespaces/" + namespace + "/pods" + query + next, TABLE);
            Matcher rows = ROW.matcher(text);
            while (rows.find()) {
                pods.add(new Pod(rows.group(1), rows.group(2)));
            }
            Matcher more = CONTINUE.matcher(text);
            next = more.find() ? "&continue=" + more.group(1) : "";
        } while (!next.isEmpty());
        return pods;
    }

    /** The pods of executors in a namespace. */
    List<Pod> executors(String namespace) throws IOException, InterruptedException {
        return pods(namespace, "spark-role=executor");
    }

    /** The number of pods in a namespace, asked at little cost to the server. */
    int podCount(String namespace) throws IOException, InterruptedException {
        String first = get("/api/v1/namespaces/" + namespace + "/pods?limit=1", "application/json");
        Matcher more = REMAINING.matcher(first);
        return (first.contains("\"uid\":") ? 1 : 0) + (more.find() ? Integer.parseInt(more.group(1)) : 0);
    }

    /** The sum of the counters of {@code metric} whose labels match {@code labels}, a regular expression. */
    long count(String metric, String labels) throws IOException, InterruptedException {
        Pattern line = Pattern.compile("^" + metric + "\\{" + labels + "\\} (\\S+)$", Pattern.MULTILINE);
        Matcher lines = line.matcher(get("/metrics", "text/plain"));
        long sum = 0;
        while (lines.find()) {
            sum += (long) Double.parseDouble(lines.group(lines.groupCount()));
        }
        return sum;
    }

    String get(String path, String accept) throws IOException, InterruptedException {
        HttpRequest request = request(path).header("Accept", accept).build();
        HttpResponse<String> response;
        try {
            response = http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (HttpTimeoutException lost) { // reading again does no harm
            response = http.send(request, HttpResponse.BodyHandlers.ofString());
        }
        if (response.statusCode() != 200) {
            throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
        }
        return response.body();
    }

    /** Sends an object and returns the status of the answer. */
    CompletableFuture<Integer> post(String path, String json) {
        return send("POST", path, "application/json", json);
    }

    /** Sends a request of a client of a proxy, whose answer may be endless. */
    HttpResponse<InputStream> pass(String method, String path, String[] headers, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path))
                .header("Authorization", "Bearer " + token)
                .method(
                        method,
                        body.length == 0
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofByteArray(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    /** Sends a change and returns the status of the answer. */
    CompletableFuture<Integer> send(String method, String path, String type, String json) {
        HttpRequest request = request(path)
                .header("Content-Type", type)
                .method(method, HttpRequest.BodyPublishers.ofString(json))
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.discarding()).thenApply(HttpResponse::statusCode);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(url + path))
                .timeout(REQUEST_TIMEOUT)
                .header("Authorization", "Bearer " + token);
    }

    private static SSLContext trusting(Path caFile) throws IOException {
        try (InputStream in = Files.newInputStream(caFile)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException failure) {
            throw new IOException("certificate " + caFile + ": " + failure.getMessage(), failure);
        }
    }
}
