package dev.hearth.rest.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which bodies are requests to run an application, and what is wrong with others. */
class CreateParserTest {
    private static final String GOOD = "{\"action\":\"CreateSubmissionRequest\",\"clientSparkVersion\":\"\","
            + "\"appResource\":\"\",\"mainClass\":\"\",\"sparkProperties\":{}}";

    @Test
    void readsAllFields() throws V1Refusal {
        CreateRequest request = parse("""
                {"action": "CreateSubmissionRequest", "clientSparkVersion": "1.2.3", "message": null,
                 "appResource": "honey-walnut-cherry.jar", "mainClass": "org.apache.spark.examples.SparkPie",
                 "appArgs": ["two slices", "a hint of cinnamon", 3, true],
                 "environmentVariables": {"PATH": "/dev/null"},
                 "sparkProperties": {"spark.driver.memory": 2048, "spark.driver.supervise": false,
                   "spark.driver.cores": "180", "spark.cores.max": "10000", "spark.executor.memory": "256m",
                   "spark.rate": 1.50, "spark.none": null}}""");
        assertEquals("honey-walnut-cherry.jar", request.appResource());
        assertEquals("org.apache.spark.examples.SparkPie", request.mainClass());
        assertEquals(List.of("two slices", "a hint of cinnamon", "3", "true"), request.arguments());
        assertEquals(Map.of("PATH", "/dev/null"), request.environment());
        assertEquals("2048", request.properties().get("spark.driver.memory"));
        assertEquals("false", request.properties().get("spark.driver.supervise"));
        assertEquals("1.50", request.properties().get("spark.rate"));
        assertEquals(6, request.properties().size());
        assertEquals(List.of(), request.unknownFields());
    }

    @Test
    void takesEmptyTextsAndLeavesOutWhatIsOptional() throws V1Refusal {
        CreateRequest request = parse(GOOD);
        assertEquals(new CreateRequest("", "", List.of(), Map.of(), Map.of(), List.of()), request);
        assertEquals(request, parse(with("\"appArgs\":null,\"environmentVariables\":null")));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    {}                                       | Malformed request: Action field not found in JSON
                    {"action":null}                          | Malformed request: Action field not found in JSON
                    {"action":"ErrorResponse"}               | Received message of unexpected type ErrorResponse.
                    {"action":"KillSubmissionResponse"}      | Received message of unexpected type KillSubmissionResponse.
                    {"action":"DoesNotExist"}                | Received message of unexpected type DoesNotExist.
                    {"action":["CreateSubmissionRequest"]}   | Malformed request: field action: no text (expected: a string)
                    "hello, world"                           | Malformed request: no object (expected: a JSON object with the field action)
                    []                                       | Malformed request: no object (expected: a JSON object with the field action)
                    42                                       | Malformed request: no object (expected: a JSON object with the field action)
                    """)
    void refusesOtherMessages(String body, String message) {
        assertRefused(message, body);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    action              | Malformed request: Action field not found in JSON
                    clientSparkVersion  | Malformed request: 'clientSparkVersion' is missing in message CreateSubmissionRequest.
                    sparkProperties     | Malformed request: No Spark properties set!
                    appResource         | Malformed request: 'appResource' is missing in message CreateSubmissionRequest.
                    mainClass           | Malformed request: Main class is missing.
                    """)
    void refusesARequestWithoutAField(String field, String message) {
        assertRefused(message, GOOD.replaceFirst("\"" + field + "\":(\"[^\"]*\"|\\{\\})", "\"message\":\"\""));
        assertRefused(message, GOOD.replaceFirst("\"" + field + "\":(\"[^\"]*\"|\\{\\})", "\"" + field + "\":null"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    spark.driver.supervise | nope        | boolean
                    spark.driver.supervise | ''          | boolean
                    spark.driver.cores     | one hundred | numeric
                    spark.driver.cores     | 1.5         | numeric
                    spark.cores.max        | two men     | numeric
                    spark.driver.memory    | bogus       | memory
                    spark.driver.memory    | -1g         | memory
                    spark.executor.memory  | tomatoes    | memory
                    """)
    void refusesAPropertyOfAnotherType(String key, String value, String type) {
        assertRefused(
                "Malformed request: Property '" + key + "' expected " + type + " value: actual was '" + value + "'.",
                GOOD.replace("{}", "{\"" + key + "\":\"" + value + "\"}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"appArgs\":\"a\"",
                "\"appArgs\":[null]",
                "\"appArgs\":[[]]",
                "\"environmentVariables\":[]",
                "\"environmentVariables\":{\"a\":{}}",
                "\"sparkProperties\":\"a=b\"",
                "\"sparkProperties\":{\"a\":[1]}",
                "\"mainClass\":{}",
                "\"message\":[]"
            })
    void refusesFieldsOfAnotherForm(String field) {
        V1Refusal refused = assertThrows(V1Refusal.class, () -> parse(with(field)));
        assertTrue(refused.text().startsWith("Malformed request: field "), refused::text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "{\"a\"", "{\"action\":}", "nul", "{}{}", "{} x", "\u0000", "{\"a\":1,}"})
    void refusesWhatIsNoJson(String body) {
        V1Refusal refused = assertThrows(V1Refusal.class, () -> parse(body));
        assertEquals(400, refused.status());
        assertTrue(refused.text().startsWith("Malformed request: "), refused::text);
    }

    @Test
    void refusesDeepNesting() {
        String deep = with("\"x\":" + "[".repeat(50_000) + "]".repeat(50_000));
        V1Refusal refused = assertThrows(V1Refusal.class, () -> parse(deep));
        assertTrue(refused.text().startsWith("Malformed request: not JSON: "), refused::text);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 42})
    void answersAnyBytesWithARequestOrARefusal(long seed) {
        Random random = new Random(seed);
        byte[] good = with("\"appArgs\":[\"a\",1],\"environmentVariables\":{\"A\":\"b\"},\"new\":{\"x\":[]}")
                .getBytes(StandardCharsets.UTF_8);
        int requests = 0;
        for (int n = 0; n < 5_000; n++) {
            byte[] bytes = good.clone();
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                int at = random.nextInt(bytes.length);
                switch (random.nextInt(3)) {
                    case 0 -> bytes[at] = (byte) random.nextInt(256);
                    case 1 -> bytes = java.util.Arrays.copyOf(bytes, at + 1);
                    default -> bytes[at] = good[random.nextInt(good.length)];
                }
            }
            try {
                CreateParser.parse(bytes);
                requests++;
            } catch (V1Refusal refused) {
                assertEquals(400, refused.status());
            }
        }
        assertTrue(requests > 0, "some changes do no harm");
    }

    private static CreateRequest parse(String body) throws V1Refusal {
        return CreateParser.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    private static String with(String field) {
        return GOOD.substring(0, GOOD.length() - 1) + "," + field + "}";
    }

    private static void assertRefused(String message, String body) {
        V1Refusal refused = assertThrows(V1Refusal.class, () -> parse(body));
        assertEquals(message, refused.text());
        assertEquals(400, refused.status());
    }
}
