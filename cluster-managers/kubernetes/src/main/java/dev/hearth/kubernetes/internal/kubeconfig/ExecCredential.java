package dev.hearth.kubernetes.internal.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.hearth.kubernetes.internal.json.Json;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/**
 * Credential that a plug-in printed: a token, a certificate with its key, or both, empty where missing. Without {@code
 * expires} it is valid until the API server refuses it. Immutable; its text form contains no credentials.
 */
public record ExecCredential(String token, String certificate, String key, Optional<Instant> expires) {
    /** Reads what a plug-in printed for {@code apiVersion}; fails with the rule that {@code text} breaks. */
    static ExecCredential parse(byte[] text, String apiVersion) throws IOException {
        JsonNode read;
        try {
            read = Json.read(text);
        } catch (JsonProcessingException malformed) {
            // without the words of the parser, which quote the text: it may contain a token
            throw new IOException("its output is no JSON (expected: an ExecCredential)");
        }
        String kind = read.path("kind").asText();
        String version = read.path("apiVersion").asText();
        if (!kind.equals("ExecCredential") || !version.equals(apiVersion)) {
            throw new IOException("its output is of kind '" + kind + "', version '" + version
                    + "' (expected: ExecCredential, " + apiVersion + ", as the kubeconfig file says)");
        }
        JsonNode status = read.path("status");
        ExecCredential found = new ExecCredential(
                status.path("token").asText(""),
                status.path("clientCertificateData").asText(""),
                status.path("clientKeyData").asText(""),
                expires(status.path("expirationTimestamp").asText("")));
        if (found.token.isEmpty() && found.certificate.isEmpty()) {
            throw new IOException("its output has no credential (expected: a token, or a certificate and its key)");
        }
        if (found.certificate.isEmpty() != found.key.isEmpty()) {
            throw new IOException("its output has a certificate or a key alone (expected: both)");
        }
        return found;
    }

    private static Optional<Instant> expires(String time) throws IOException {
        try {
            return time.isEmpty()
                    ? Optional.empty()
                    : Optional.of(OffsetDateTime.parse(time).toInstant());
        } catch (DateTimeException malformed) {
            throw new IOException(
                    "its output has the expirationTimestamp '" + time + "' (expected: a time as in RFC 3339)",
                    malformed);
        }
    }

    @Override
    public String toString() {
        return "credential" + expires.map(time -> " until " + time).orElse("");
    }
}
