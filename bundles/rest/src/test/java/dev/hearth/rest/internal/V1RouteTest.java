package dev.hearth.rest.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which path means which action, and how others are refused. */
class V1RouteTest {
    private static final String WHERE = " Please submit requests through http://[host]:[port]/v1/submissions/...";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    POST | /v1/submissions/create           | CREATE   |
                    POST | /v1/submissions/create/bad/path  | CREATE   |
                    POST | /v1/submissions/kill/d-1         | KILL     | d-1
                    POST | /v1/submissions/kill/any/thing   | KILL     | any
                    POST | /v1/submissions/killall          | KILL_ALL |
                    GET  | /v1/submissions/status/d-1/x     | STATUS   | d-1
                    HEAD | /v1/submissions/status/d-1       | STATUS   | d-1
                    POST | /v1/submissions/clear            | CLEAR    |
                    GET  | /v1/submissions/readyz           | READY    |
                    """)
    void findsTheAction(String method, String path, V1Route.Action action, String id) throws V1Refusal {
        assertEquals(new V1Route(action, id == null ? "" : id), V1Route.of(method, path));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    POST | /                       | 400 | Missing protocol version.
                    GET  | /v1                     | 400 | Missing the /submissions prefix.
                    GET  | /v1/other               | 400 | Missing the /submissions prefix.
                    GET  | /v1/submissions         | 400 | Missing an action: please specify one of /create, /kill, /killall, /clear, /status, or /readyz.
                    GET  | /v1/submissions/bad     | 400 | Missing an action: please specify one of /create, /kill, /killall, /clear, /status, or /readyz.
                    GET  | /bad-version            | 468 | Unknown protocol version 'bad-version'.
                    POST | /v2/submissions/create  | 468 | Unknown protocol version 'v2'.
                    """)
    void refusesPathsWithoutAnAction(String method, String path, int status, String message) {
        V1Refusal refused = assertThrows(V1Refusal.class, () -> V1Route.of(method, path));
        assertEquals(status, refused.status());
        assertEquals(message + WHERE, refused.text());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    POST | /v1/submissions/kill     | 400 | Submission ID is missing in kill request.
                    GET  | /v1/submissions/status   | 400 | Submission ID is missing in status request.
                    GET  | /v1/submissions/create   | 405 | HTTP method GET: not that of /create (expected: POST)
                    GET  | /v1/submissions/kill/d-1 | 405 | HTTP method GET: not that of /kill (expected: POST)
                    POST | /v1/submissions/readyz   | 405 | HTTP method POST: not that of /readyz (expected: GET)
                    """)
    void refusesIncompleteRequests(String method, String path, int status, String message) {
        V1Refusal refused = assertThrows(V1Refusal.class, () -> V1Route.of(method, path));
        assertEquals(status, refused.status());
        assertEquals(message, refused.text());
    }

    @Test
    void knowsThePathOfProbes() {
        assertTrue(V1Route.isReady("/v1/submissions/readyz"));
        assertFalse(V1Route.isReady("/v1/submissions/create"));
        assertFalse(V1Route.isReady("/"));
    }
}
