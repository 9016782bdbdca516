package dev.hearth.rest.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Check of signed tokens (JSON Web Signatures with HS256, HS384 or HS512) in the header Authorization, as Spark's filter
 * of that name does. A token without a signature is refused, as is one that has expired. Stateless.
 */
final class JwsFilter {
    private static final JsonFactory JSON = new JsonFactory();
    private static final String BEARER = "Bearer ";
    private static final int TOKEN_CHARACTERS_MAX = 16_384;
    private static final int PARTS = 3;
    private static final int BITS = 8;

    /** Algorithms by their names in tokens: Java's name, and the least number of bits of a key. */
    private static final Map<String, Algorithm> ALGORITHMS = Map.of(
            "HS256", new Algorithm("HmacSHA256", 256),
            "HS384", new Algorithm("HmacSHA384", 384),
            "HS512", new Algorithm("HmacSHA512", 512));

    private final byte[] key;

    private JwsFilter(byte[] key) {
        this.key = key;
    }

    private record Algorithm(String name, int keyBits) {}

    /** Creates a filter with the key {@code text}, in base64url. */
    static JwsFilter ofKey(String text) {
        try {
            byte[] key = Base64.getUrlDecoder().decode(text.strip());
            if (key.length * BITS < 256) {
                throw ErrorCode.BAD_SETTING.failure("key of signed tokens: " + key.length
                        + " bytes (expected: 32 or more); draw one with openssl rand -base64 32 | tr '+/' '-_'");
            }
            return new JwsFilter(key);
        } catch (IllegalArgumentException malformed) {
            throw ErrorCode.BAD_SETTING.failure(
                    "key of signed tokens: not base64url (expected: letters, digits, - and _)", malformed);
        }
    }

    /** Returns why a request with the header {@code authorization} is refused at {@code now}; empty if it is not. */
    Optional<String> refusal(Optional<String> authorization, Instant now) {
        if (authorization.isEmpty()) {
            return Optional.of("Authorization header is missing.");
        }
        String header = authorization.get();
        if (!header.regionMatches(true, 0, BEARER, 0, BEARER.length()) || header.length() > TOKEN_CHARACTERS_MAX) {
            return Optional.of("Malformed Authorization header.");
        }
        String[] parts = header.substring(BEARER.length()).strip().split("\\.", -1);
        if (parts.length != PARTS) {
            return Optional.of("Malformed Authorization header.");
        }
        try {
            return isSigned(parts) && isCurrent(parts[1], now) ? Optional.empty() : Optional.of("JWT Validate Fail");
        } catch (IllegalArgumentException | IOException | GeneralSecurityException malformed) {
            return Optional.of("JWT Validate Fail");
        }
    }

    private boolean isSigned(String[] parts) throws IOException, GeneralSecurityException {
        Algorithm algorithm = ALGORITHMS.get(fields(parts[0]).getOrDefault("alg", ""));
        if (algorithm == null || key.length * BITS < algorithm.keyBits()) {
            return false;
        }
        Mac mac = Mac.getInstance(algorithm.name());
        mac.init(new SecretKeySpec(key, algorithm.name()));
        byte[] expected = mac.doFinal((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        return MessageDigest.isEqual(expected, Base64.getUrlDecoder().decode(parts[2])); // in constant time
    }

    private static boolean isCurrent(String claims, Instant now) throws IOException {
        Map<String, String> fields = fields(claims);
        double seconds = now.getEpochSecond();
        String expires = fields.get("exp");
        String begins = fields.get("nbf");
        return (expires == null || seconds < Double.parseDouble(expires))
                && (begins == null || seconds >= Double.parseDouble(begins));
    }

    /** The scalar fields of a part of a token. */
    private static Map<String, String> fields(String part) throws IOException {
        Map<String, String> fields = new LinkedHashMap<>();
        try (JsonParser in = JSON.createParser(Base64.getUrlDecoder().decode(part))) {
            if (in.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("no object");
            }
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                if (in.nextToken().isScalarValue()) {
                    fields.put(name, in.getText());
                } else {
                    in.skipChildren();
                }
            }
        }
        return fields;
    }
}
