package dev.hearth.standalone.internal.rest;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.HttpAccess;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/** Sends requests by the HTTP client of Java. Its threads end with the process. */
final class HttpTransport implements RestTransport {
    /** Spark's client waits as long for an answer. */
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(10);

    private static final int ANSWER_BYTES_MAX = 1 << 20;

    private final HttpAccess access;
    private final HttpClient client;

    HttpTransport(HttpAccess access) {
        this.access = access;
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(ANSWER_TIMEOUT);
        if (access.encrypted()) {
            builder.sslContext(access.tls());
        }
        this.client = builder.build();
    }

    @Override
    public CompletionStage<Reply> send(RpcAddress master, String path, Optional<String> body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(access.scheme() + "://" + master + path))
                .timeout(ANSWER_TIMEOUT)
                .header("Content-Type", "application/json;charset=utf-8");
        access.authorization(master.host()).ifPresent(value -> request.header("Authorization", value));
        body.ifPresentOrElse(text -> request.POST(HttpRequest.BodyPublishers.ofString(text)), request::GET);
        return client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                .thenApply(HttpTransport::read)
                .orTimeout(2 * ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS) // a server may stop within its answer
                .exceptionally(HttpTransport::failed);
    }

    private static Reply read(HttpResponse<InputStream> response) {
        try (InputStream in = response.body()) {
            byte[] body = in.readNBytes(ANSWER_BYTES_MAX + 1);
            return body.length > ANSWER_BYTES_MAX
                    ? Reply.failed(Fate.FOREIGN, "answers with more than " + ANSWER_BYTES_MAX + " bytes")
                    : Reply.of(response.statusCode(), new String(body, StandardCharsets.UTF_8));
        } catch (IOException lost) {
            return Reply.failed(Fate.LOST, Failures.describe(lost));
        }
    }

    private static Reply failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        boolean unsent = cause instanceof ConnectException
                || cause instanceof SSLHandshakeException
                || cause instanceof HttpConnectTimeoutException;
        String reason = cause instanceof HttpTimeoutException || cause instanceof TimeoutException
                ? "no answer within " + ANSWER_TIMEOUT.toSeconds() + " s"
                : cause instanceof ConnectException
                        ? "connection refused"
                        : cause instanceof SSLException
                                ? "no trusted connection, " + cause.getMessage()
                                        + "; name the issuer of its certificate by" + " hearth.ssl.rpc.trustCerts"
                                : Failures.describe(cause);
        return Reply.failed(unsent ? Fate.UNREACHABLE : Fate.LOST, reason);
    }
}
