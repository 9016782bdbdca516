package dev.hearth.rest.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.settings.Settings;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which signed tokens are accepted. */
class JwsFilterTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000_000);
    private static final byte[] KEY =
            "Visit https://spark.apache.org to download Apache Spark, all of it.".getBytes(StandardCharsets.US_ASCII);
    private static final String KEY_TEXT = Base64.getUrlEncoder().encodeToString(KEY);

    private final JwsFilter filter = JwsFilter.ofKey(KEY_TEXT);

    @ParameterizedTest
    @CsvSource({"HS256,HmacSHA256", "HS384,HmacSHA384", "HS512,HmacSHA512"})
    void acceptsWhatTheKeyHasSigned(String name, String java) throws GeneralSecurityException {
        assertEquals(Optional.empty(), refusal(token("{\"alg\":\"" + name + "\"}", "{\"user\":\"x\"}", java, KEY)));
        byte[] other = KEY.clone();
        other[0]++;
        assertEquals(
                Optional.of("JWT Validate Fail"),
                refusal(token("{\"alg\":\"" + name + "\"}", "{\"user\":\"x\"}", java, other)));
    }

    @Test
    void refusesTokensWithoutSignature() {
        String none = "Bearer " + encoded("{\"alg\":\"none\"}") + "." + encoded("{}") + ".";
        assertEquals(Optional.of("JWT Validate Fail"), refusal(none));
        assertEquals(
                Optional.of("JWT Validate Fail"), refusal(none.replace(encoded("{\"alg\":\"none\"}"), encoded("{}"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    {"exp":1000001}                 | true
                    {"exp":1000000}                 | false
                    {"nbf":1000000,"exp":2000000.5} | true
                    {"nbf":1000001}                 | false
                    {"exp":"soon"}                  | false
                    []                              | false
                    """)
    void checksTheTimesOfAToken(String claims, boolean accepted) throws GeneralSecurityException {
        String token = token("{\"alg\":\"HS256\"}", claims, "HmacSHA256", KEY);
        assertEquals(accepted, refusal(token).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Basic eA==", "Bearer", "Bearer a.b", "Bearer a.b.c.d", "a.b.c"})
    void refusesOtherHeaders(String header) {
        assertEquals(Optional.of("Malformed Authorization header."), refusal(header));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer !.!.!", "Bearer ..", "Bearer e30.e30.e30", "Bearer W10.e30.AA"})
    void refusesWhatIsNoToken(String header) {
        assertEquals(Optional.of("JWT Validate Fail"), refusal(header));
        assertEquals(Optional.of("Authorization header is missing."), filter.refusal(Optional.empty(), NOW));
    }

    @Test
    void needsAKeyThatIsLongEnoughForTheAlgorithm() throws GeneralSecurityException {
        byte[] shortKey = new byte[32];
        JwsFilter some = JwsFilter.ofKey(Base64.getUrlEncoder().encodeToString(shortKey));
        String token = token("{\"alg\":\"HS512\"}", "{}", "HmacSHA512", shortKey);
        assertEquals(Optional.of("JWT Validate Fail"), some.refusal(Optional.of(token), NOW));
        HearthException refused = assertThrows(HearthException.class, () -> JwsFilter.ofKey("AAAA"));
        assertTrue(refused.getMessage().contains("3 bytes (expected: 32 or more)"), refused::getMessage);
    }

    @Test
    void comesFromTheSettingsOfSpark() {
        Settings settings = Settings.empty().with("test", "spark.master.rest.filters", "org.apache.spark.ui.JWSFilter");
        assertThrows(HearthException.class, () -> RestSettings.from(settings), "no key");
        Settings complete = settings.with("test", "spark.org.apache.spark.ui.JWSFilter.param.secretKey", KEY_TEXT);
        assertTrue(RestSettings.from(complete).filter().isPresent());
        HearthException other = assertThrows(
                HearthException.class,
                () -> RestSettings.from(complete.with("test", "spark.master.rest.filters", "com.example.Filter")));
        assertTrue(other.getMessage().contains("'com.example.Filter'"), other::getMessage);
    }

    private Optional<String> refusal(String header) {
        return filter.refusal(Optional.of(header), NOW);
    }

    private static String token(String header, String claims, String algorithm, byte[] key)
            throws GeneralSecurityException {
        String signed = encoded(header) + "." + encoded(claims);
        Mac mac = Mac.getInstance(algorithm);
        mac.init(new SecretKeySpec(key, algorithm));
        byte[] signature = mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII));
        return "Bearer " + signed + "."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(signature);
    }

    private static String encoded(String text) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
