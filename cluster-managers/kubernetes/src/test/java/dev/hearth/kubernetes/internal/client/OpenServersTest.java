package dev.hearth.kubernetes.internal.client;

import static dev.hearth.kubernetes.internal.client.StubAccess.POD;
import static dev.hearth.kubernetes.internal.client.StubAccess.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that several users share. */
class OpenServersTest {
    private final OpenServers servers = new OpenServers();
    private final Set<Integer> connections = ConcurrentHashMap.newKeySet();
    private StubApiServer stub;

    @BeforeEach
    void start() throws IOException {
        stub = StubApiServer.plain();
        stub.answer(exchange -> {
            connections.add(exchange.socket.getPort());
            exchange.reply(200, POD);
        });
    }

    @AfterEach
    void stop() throws IOException {
        stub.close();
    }

    private ApiServer open(String namespace) {
        return servers.open(
                Map.of(),
                MasterUrl.parse("k8s://http://127.0.0.1:" + stub.port()),
                ClusterSettings.from(Settings.empty().with("test", "hearth.kubernetes.namespace", namespace)));
    }

    @Test
    void areClosedByTheLastUser() throws Exception {
        ApiServer seat = open("a");
        assertInstanceOf(Answer.Done.class, read(seat));
        ApiServer backend = open("a");
        assertInstanceOf(Answer.Done.class, read(backend));
        assertEquals(1, connections.size(), "the same connection");
        seat.close();
        seat.close();
        assertInstanceOf(Answer.Done.class, read(backend));
        backend.close();
        assertInstanceOf(Answer.Unknown.class, read(backend));
        try (ApiServer later = open("a")) {
            assertInstanceOf(Answer.Done.class, read(later));
        }
    }

    @Test
    void areThoseOfEqualSettings() throws Exception {
        try (ApiServer one = open("a");
                ApiServer other = open("b")) {
            assertInstanceOf(Answer.Done.class, read(one));
            assertInstanceOf(Answer.Done.class, read(other));
        }
        assertEquals(2, connections.size());
    }

    @Test
    void areOpenedAgainAfterAFailure() {
        Settings settings = Settings.empty().with("test", "hearth.kubernetes.context", "none");
        for (int attempt = 0; attempt < 2; attempt++) {
            HearthException failure = assertThrows(
                    HearthException.class,
                    () -> servers.open(Map.of(), MasterUrl.parse("k8s"), ClusterSettings.from(settings)));
            assertEquals("CLUSTER_UNREACHABLE", failure.code());
        }
    }
}
