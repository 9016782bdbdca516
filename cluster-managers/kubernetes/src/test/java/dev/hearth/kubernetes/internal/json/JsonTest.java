package dev.hearth.kubernetes.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.POJONode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees and texts beside those of Jackson's object mapper. */
class JsonTest {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "\"a \\\" \\u00e4 \\n\"",
                "{\"a\":{\"b\":[1,2147483648,123456789012345678901234567890,-7]},\"c\":[[],{}]}",
                "[1.5,-0.25,1e300,true,false,null]",
                "{\"a\":1,\"a\":2}"
            })
    void readsAndWritesAsTheMapperDoes(String text) throws IOException {
        assertEquals(MAPPER.readTree(text), Json.read(text.getBytes(UTF_8)));
        assertEquals(MAPPER.readTree(text).toString(), Json.text(Json.read(text.getBytes(UTF_8))));
    }

    @Test
    void readsAPod() throws IOException {
        try (InputStream in = Objects.requireNonNull(JsonTest.class.getResourceAsStream("/pod.json"))) {
            byte[] pod = in.readAllBytes();
            assertEquals(MAPPER.readTree(pod), Json.read(pod));
        }
    }

    @Test
    void readsYaml() throws IOException {
        String text = "a: {b: 1, c: [x, \"2\", true]}\nd: |\n  two\n  lines\n";
        try (JsonParser parser = new YAMLFactory().createParser(text)) {
            assertEquals(new ObjectMapper(new YAMLFactory()).readTree(text), Json.read(parser));
        }
    }

    @Test
    void findsNothingInAnEmptyText() throws IOException {
        assertTrue(Json.read(new byte[0]).isMissingNode());
    }

    @Test
    void refusesWhatIsNoJson() {
        assertThrows(JsonProcessingException.class, () -> Json.read("{\"a\":".getBytes(UTF_8)));
        assertThrows(IllegalArgumentException.class, () -> Json.text(new POJONode("x")));
    }
}
