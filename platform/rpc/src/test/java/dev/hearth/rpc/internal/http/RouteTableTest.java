package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.spi.http.HttpAnswer;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The longest prefix wins; for equal prefixes the highest ranking, and the next one when it is unregistered. */
class RouteTableTest {
    private final RouteTable routes = new RouteTable();

    @ParameterizedTest
    @CsvSource({
        "/api, /api",
        "/api/, /api",
        "/api/x, /api",
        "/apix, /",
        "/api/v1, /api/v1",
        "/api/v1/jobs, /api/v1",
        "/, /",
        "/a, /"
    })
    void findsTheLongestPrefixBySegments(String path, String prefix) {
        for (String some : new String[] {"/api", "/", "/api/v1"}) {
            routes.add(mount(some, 0, 1));
        }
        assertEquals(prefix, routes.find(path).orElseThrow().prefix());
    }

    @Test
    void letsTheHighestRankingAnswerAndTheNextFollow() {
        Mount low = mount("/a", 0, 2);
        Mount high = mount("/a", 5, 3);
        Mount older = mount("/a", 0, 1);
        routes.add(low);
        routes.add(high);
        routes.add(older);
        assertEquals(high, routes.find("/a").orElseThrow());
        routes.remove(high);
        assertEquals(older, routes.find("/a").orElseThrow());
        routes.remove(older);
        routes.remove(older);
        assertEquals(low, routes.find("/a").orElseThrow());
        routes.remove(low);
        assertEquals(0, routes.answering().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a/", "//a", "/a/../b", "/a?b", "/a b", "*"})
    void refusesPrefixesThatAreNone(String prefix) {
        assertThrows(IllegalArgumentException.class, () -> mount(prefix, 0, 1));
    }

    private static Mount mount(String prefix, int ranking, long order) {
        return new Mount(
                prefix,
                request -> CompletableFuture.completedStage(HttpAnswer.text(200, prefix)),
                false,
                OptionalInt.empty(),
                ranking,
                order,
                "test " + order);
    }
}
