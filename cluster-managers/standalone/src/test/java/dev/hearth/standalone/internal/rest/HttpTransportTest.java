package dev.hearth.standalone.internal.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.standalone.internal.rest.RestTransport.Fate;
import dev.hearth.standalone.internal.rest.RestTransport.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests over real connections: the text that was sent, and the outcome. */
@Timeout(30)
class HttpTransportTest {
    private final HttpTransport transport = new HttpTransport();
    private HttpServer server;
    private volatile String received = "";

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received = exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            if (path.equals("/reset")) {
                exchange.close();
                return;
            }
            byte[] body = (path.equals("/v1") ? "{\"action\" : \"ErrorResponse\", \"message\" : \"no\"}" : "<html>")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(path.equals("/v1") ? 468 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    @AfterEach
    void close() {
        server.stop(0);
    }

    private Reply send(String path, Optional<String> body) throws Exception {
        RpcAddress address = new RpcAddress("127.0.0.1", server.getAddress().getPort());
        return transport.send(address, path, body).toCompletableFuture().get(20, TimeUnit.SECONDS);
    }

    @Test
    void sendsJsonAndReadsAnswersOfAnyHttpStatus() throws Exception {
        Reply refused = send("/v1", Optional.of("{\"k\":\"v\"}"));
        assertEquals(Fate.ANSWERED, refused.fate());
        assertEquals("ErrorResponse", refused.answer().orElseThrow().action());
        assertEquals("POST application/json;charset=utf-8 {\"k\":\"v\"}", received);
        send("/v1", Optional.empty());
        assertTrue(received.startsWith("GET "), received);
    }

    @Test
    void tellsServersOfOtherProtocolsFromLostAnswersAndDeadMasters() throws Exception {
        assertEquals(Fate.FOREIGN, send("/other", Optional.empty()).fate());
        assertEquals(Fate.LOST, send("/reset", Optional.of("")).fate());
        int free;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            free = socket.getLocalPort();
        }
        Reply dead = transport
                .send(new RpcAddress("127.0.0.1", free), "/v1", Optional.empty())
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        assertEquals(Fate.UNREACHABLE, dead.fate());
    }
}
