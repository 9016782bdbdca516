package dev.hearth.shell.submit;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.cluster.SubmissionTimes;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.time.Pauses;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * Process through which submissions go, by the protocol of Spark's masters over HTTP. The client of {@link
 * HttpURLConnection} starts in a tenth of the time of {@code java.net.http}. Used by one thread.
 */
final class ViaServer {
    /** Time in which a request is repeated with the same id, while its answer is lost or the server is busy. */
    static final Duration RETRY_MAX = Duration.ofSeconds(30);

    private static final String BASE = "/v1/submissions/";
    private static final int CONNECT_MILLIS = 5_000;
    private static final int READ_MILLIS = 15_000; // the server answers within 8 s
    private static final long PAUSE_MILLIS = 250;
    private static final int ANSWER_BYTES_MAX = 4 << 20;

    private final ViaAddress address;
    private final Ticker ticker;
    private final Pauses pauses;
    /** The master that questions name; empty for that of the process. */
    private final String master;

    ViaServer(ViaAddress address, Optional<String> master, Ticker ticker, Pauses pauses) {
        this.address = address;
        this.master = master.map(url -> "master=" + URLEncoder.encode(url, StandardCharsets.UTF_8))
                .orElse("");
        this.ticker = ticker;
        this.pauses = pauses;
    }

    /**
     * Creates a submission. Repeats the request, which has {@code requestId}, until it is answered: no second driver
     * starts. Fails with the error of the server, with {@code CLUSTER_UNREACHABLE} if there is none, and with {@code
     * CLUSTER_LOST} if the answer stays lost.
     */
    SubmissionId create(String json, String requestId) throws InterruptedException {
        long deadline = deadline();
        boolean sent = false;
        while (true) {
            String lost;
            try {
                ViaReply reply = send("POST", BASE + "create", json, requestId);
                if (!reply.isBusy() || ticker.nanos() - deadline > 0) {
                    Map<String, Object> fields = reply.success(address.toString());
                    String id = ViaReply.text(fields, "submissionId");
                    if (id.isEmpty()) {
                        throw ErrorCode.SUBMISSION_REFUSED.failure("server " + address + ": "
                                + ViaReply.text(fields, "message") + " (expected: a cluster that accepts submissions)");
                    }
                    return new SubmissionId(id);
                }
                lost = "";
            } catch (ConnectException | UnknownHostException none) {
                if (!sent) {
                    throw unreachable(none);
                }
                lost = String.valueOf(none.getMessage());
            } catch (SSLException untrusted) {
                throw untrusted(untrusted);
            } catch (IOException failure) {
                sent = true;
                lost = String.valueOf(failure.getMessage());
            }
            if (ticker.nanos() - deadline > 0) {
                throw ErrorCode.CLUSTER_LOST.failure(
                        "server " + address + ": " + lost + " after the request was sent; the"
                                + " outcome is unknown (expected: an answer); repeat the command with --request-id "
                                + requestId);
            }
            pauses.millis(PAUSE_MILLIS);
        }
    }

    /** Status of a submission; empty if the cluster knows no such submission. */
    Optional<SubmissionStatus> status(SubmissionId id) throws IOException {
        Map<String, Object> fields = send("GET", BASE + "status/" + id + "?details=true" + parameter('&'), "", "")
                .success(address.toString());
        if (!"true".equals(fields.get("success"))) {
            return Optional.empty();
        }
        String worker = ViaReply.text(fields, "workerId");
        String workerAddress = ViaReply.text(fields, "workerHostPort");
        String exit = ViaReply.text(fields, "exitStatus");
        String attempt = ViaReply.text(fields, "attempt");
        return Optional.of(new SubmissionStatus(
                id,
                state(ViaReply.text(fields, "driverState")),
                ViaReply.text(fields, "placement"),
                ViaReply.text(fields, "message"),
                exit.isEmpty() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(exit)),
                ViaReply.text(fields, "output"),
                ViaReply.text(fields, "errors"),
                Map.of(),
                attempt.isEmpty() ? 1 : Integer.parseInt(attempt),
                SubmissionTimes.NONE,
                worker,
                workerAddress));
    }

    private static SubmissionState state(String name) {
        for (SubmissionState state : SubmissionState.values()) {
            if (state.name().equals(name)) {
                return state;
            }
        }
        return SubmissionState.UNKNOWN;
    }

    /** Path of a file, and the parameters that name its cluster. */
    String contents(ContentId content) {
        return "/v1/contents/" + content + "?" + master;
    }

    /** Asks how much of a file the cluster has. */
    ViaReply look(ContentId content) throws IOException {
        return send("HEAD", contents(content), "", "");
    }

    /** Asks the same again, for an answer in words. */
    ViaReply explain(ContentId content) throws IOException {
        return send("GET", contents(content), "", "");
    }

    /** The time at which requests that begin now are no longer repeated. */
    long deadline() {
        return ticker.nanos() + RETRY_MAX.toNanos();
    }

    /** Pauses before a repetition; false if the time for it is over. */
    boolean pauseUntil(long deadline) throws InterruptedException {
        if (ticker.nanos() - deadline > 0) {
            return false;
        }
        pauses.millis(PAUSE_MILLIS);
        return true;
    }

    /** Asks for the end of a driver. */
    void kill(SubmissionId id) throws IOException {
        send("POST", BASE + "kill/" + id + parameter('?'), "", "").success(address.toString());
    }

    private String parameter(char first) {
        return master.isEmpty() ? "" : first + master;
    }

    /** The failure of a request that could not be sent, or got no answer. */
    HearthException unreachable(IOException failure) {
        if (failure instanceof SSLException untrusted) {
            return untrusted(untrusted);
        }
        if (failure instanceof UnknownHostException || failure instanceof ConnectException) {
            String why =
                    failure instanceof UnknownHostException ? "no such host" : String.valueOf(failure.getMessage());
            return ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "server " + address + ": " + why + " (expected: bin/hearth serve, or a master); start it, or leave"
                            + " --via out",
                    failure);
        }
        return ErrorCode.CLUSTER_UNREACHABLE.failure(
                "server " + address + ": no answer by HTTP, " + failure.getMessage()
                        + " (expected: the port of bin/hearth serve, or of a master); check the port"
                        + (address.access().encrypted()
                                ? ", and whether it encrypts"
                                : ", and write --via https://" + address + " if it encrypts"),
                failure);
    }

    private HearthException untrusted(SSLException failure) {
        if (!(failure instanceof SSLHandshakeException)) { // the bytes of the server are none of TLS
            return ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "server " + address + ": no TLS connection, " + failure.getMessage()
                            + " (expected: a server that encrypts); check --via and hearth.ssl.rpc.trustCerts",
                    failure);
        }
        return ErrorCode.CLUSTER_UNREACHABLE.failure(
                "server " + address + ": no trusted connection, " + failure.getMessage()
                        + " (expected: a certificate that this process trusts); name its issuer by"
                        + " hearth.ssl.rpc.trustCerts",
                failure);
    }

    private ViaReply send(String method, String path, String body, String requestId) throws IOException {
        if (!(address.path(path).toURL().openConnection() instanceof HttpURLConnection connection)) {
            throw new IOException("no client for " + path);
        }
        if (connection instanceof HttpsURLConnection encrypted) {
            encrypted.setSSLSocketFactory(address.access().tls().getSocketFactory());
        }
        connection.setRequestMethod(method);
        connection.setConnectTimeout(CONNECT_MILLIS);
        connection.setReadTimeout(READ_MILLIS);
        connection.setInstanceFollowRedirects(false); // the token is for this server alone
        connection.setUseCaches(false);
        address.access()
                .authorization(address.host())
                .ifPresent(value -> connection.setRequestProperty("Authorization", value));
        if (!requestId.isEmpty()) {
            connection.setRequestProperty("Idempotency-Key", requestId);
        }
        if (method.equals("POST")) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json;charset=utf-8");
            connection.setFixedLengthStreamingMode(bytes.length); // never sent twice by the client of Java itself
            try (OutputStream out = connection.getOutputStream()) {
                out.write(bytes);
            }
        }
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the server does not speak HTTP");
        }
        String error = connection.getHeaderField("Hearth-Error");
        long offset = connection.getHeaderFieldLong("Upload-Offset", -1);
        try (InputStream in = status >= HttpURLConnection.HTTP_BAD_REQUEST
                ? connection.getErrorStream()
                : connection.getInputStream()) {
            byte[] answer = in == null ? new byte[0] : in.readNBytes(ANSWER_BYTES_MAX);
            return new ViaReply(
                    status,
                    error == null ? "" : error,
                    offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset),
                    new String(answer, StandardCharsets.UTF_8));
        }
    }
}
