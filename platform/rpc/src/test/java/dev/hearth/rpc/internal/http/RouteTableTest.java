package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The longest prefix wins; for equal prefixes the highest ranking, and the next one when it is unregistered. */
class RouteTableTest {
    private final List<String> warnings = new ArrayList<>();
    private final RouteTable routes = new RouteTable(this::warn);

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

    @Test
    void movesToANewerVersionOfTheBundleInSilenceWhileTheOlderOneEnds() {
        Mount old = mount("/api/v1", 0, 1, new Mount.Origin("status-api", 7));
        Mount newer = mount("/api/v1", 0, 9, new Mount.Origin("status-api", 12));
        routes.add(old);
        routes.add(newer);
        assertEquals(newer, routes.find("/api/v1/x").orElseThrow());
        routes.remove(old);
        assertEquals(newer, routes.find("/api/v1/x").orElseThrow());
        Mount late = mount("/api/v1", 0, 10, new Mount.Origin("status-api", 7));
        routes.add(late);
        assertEquals(newer, routes.find("/api/v1/x").orElseThrow(), "an older installation does not take over");
        assertEquals(List.of(), warnings);
    }

    @Test
    void warnsWhenTwoBundlesOrTwoHandlersOfOneBundleHaveOnePrefix() {
        Mount first = mount("/a", 0, 1, new Mount.Origin("status-api", 7));
        routes.add(first);
        routes.add(mount("/a", 0, 2, new Mount.Origin("other", 12)));
        routes.add(mount("/a", 0, 3, new Mount.Origin("status-api", 7)));
        assertEquals(first, routes.find("/a").orElseThrow());
        assertEquals(2, warnings.size(), warnings::toString);
        routes.add(mount("/a", 0, 4, new Mount.Origin("status-api", 13)));
        assertEquals(3, warnings.size(), warnings::toString);
        assertTrue(warnings.get(2).contains("test 4 is not used while test 2 is registered"), warnings.get(2));
    }

    private void warn(String line) {
        warnings.add(line);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "/a/", "//a", "/a/../b", "/a?b", "/a b", "*"})
    void refusesPrefixesThatAreNone(String prefix) {
        assertThrows(IllegalArgumentException.class, () -> mount(prefix, 0, 1));
    }

    private static Mount mount(String prefix, int ranking, long order) {
        return mount(prefix, ranking, order, Mount.Origin.UNKNOWN);
    }

    private static Mount mount(String prefix, int ranking, long order, Mount.Origin origin) {
        return new Mount(
                prefix,
                request -> CompletableFuture.completedStage(HttpAnswer.text(200, prefix)),
                false,
                OptionalInt.empty(),
                ranking,
                order,
                "test " + order,
                origin);
    }
}
