package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonFieldsTest {
    @Test
    void namesFieldsByTheirPath() throws IOException {
        assertEquals(
                Map.of("a", "x\n\"y\u00e9", "b", "-1.5e3", "c", "true", "e.f", "1", "g.0", "2", "g.1.h", "3"),
                JsonFields.of("""
                        { "a" : "x\\n\\"y\\u00e9", "b":-1.5e3 , "c" : true, "d" : null,
                          "e" : {"f":1}, "g" : [2, {"h":3}], "i" : {}, "j" : [] }
                        """));
    }

    @Test
    void readsWhatItWrites() throws IOException {
        String text = "a\\b\"c\td\u0001e";

        assertEquals(
                text, JsonFields.of("{\"a\":" + JsonFields.quoted(text) + "}").get("a"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "{",
                "{\"a\"}",
                "{\"a\":}",
                "{\"a\":1",
                "{a:1}",
                "{\"a\":\"x}",
                "{\"a\":\"\\u00",
                "{} {}"
            })
    void refusesWhatIsNoObject(String text) {
        assertThrows(IOException.class, () -> JsonFields.of(text));
    }

    @Test
    void boundsTheDepth() {
        assertThrows(IOException.class, () -> JsonFields.of("{\"a\":" + "[".repeat(10_000)));
    }
}
