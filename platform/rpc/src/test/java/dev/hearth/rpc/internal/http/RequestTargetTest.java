package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Request targets are unambiguous, or refused. */
class RequestTargetTest {
    @ParameterizedTest
    @CsvSource({
        "/, /",
        "/a/b, /a/b",
        "//a///b, /a/b",
        "/a/./b/../c, /a/c",
        "/a/b/.., /a/",
        "/a/, /a/",
        "/%61/%62, /a/b",
        "/a/%2e%2E/b, /b",
        "/%252e, /%2e",
        "/%C3%A4, /ä",
        "http://front.example/a, /a",
        "HTTP://front.example, /",
        "/a;v=1/b, /a;v=1/b",
        "/?, /"
    })
    void makesPathsNormal(String text, String path) throws RequestRefused {
        assertEquals(path, RequestTarget.parse(text).path());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "/..",
                "/a/../..",
                "/%2e%2e/etc",
                "/a%2fb",
                "/a%5cb",
                "/a\\b",
                "/a%00b",
                "/a%0d%0ab",
                "/%",
                "/%4",
                "/%zz",
                "/%ff",
                "/a#b",
                "/a b",
                "/\u00e4",
                "/a\u0000",
                "front.example:443",
                "/?a=%00",
                "/?a=%",
                "/?%ff"
            })
    void refusesWhatCouldMeanTwoThings(String text) {
        assertEquals(
                HttpError.BAD_REQUEST,
                assertThrows(RequestRefused.class, () -> RequestTarget.parse(text))
                        .fault());
    }

    @Test
    void readsParameters() throws RequestRefused {
        RequestTarget target = RequestTarget.parse("/a?b=c+d&b=%26&e&=f&&g=h=i");
        assertEquals(
                Map.of("b", List.of("c d", "&"), "e", List.of(""), "", List.of("f"), "g", List.of("h=i")),
                target.query());
        assertEquals(Optional.empty(), target.authority());
    }

    @Test
    void boundsParameters() {
        String many = "/?" + "a&".repeat(1_001);
        assertThrows(RequestRefused.class, () -> RequestTarget.parse(many));
    }

    @Test
    void readsTheAuthorityOfAnAbsoluteTarget() throws RequestRefused {
        assertEquals(
                Optional.of("front.example:8080"),
                RequestTarget.parse("http://front.example:8080?a=b").authority());
    }
}
