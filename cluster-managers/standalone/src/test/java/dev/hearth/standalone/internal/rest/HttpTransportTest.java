package dev.hearth.standalone.internal.rest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.HttpAccess;
import dev.hearth.spi.settings.Settings;
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
    private final HttpTransport transport = new HttpTransport(HttpAccess.OPEN);
    private HttpServer server;
    private volatile String received = "";
    private volatile String authorization = "";

    @BeforeEach
    void listen() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            received = exchange.getRequestMethod() + " "
                    + exchange.getRequestHeaders().getFirst("Content-Type") + " "
                    + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String path = exchange.getRequestURI().getPath();
            authorization = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
            if (path.equals("/private")) {
                exchange.sendResponseHeaders(401, -1);
                exchange.close();
                return;
            }
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
    void sendsTheTokenOfItsSettings() throws Exception {
        Settings settings = Settings.empty().with("test", "hearth.rest.token", "0123456789abcdef0123456789abcdef");
        HttpTransport own = new HttpTransport(HttpAccess.from(settings));
        RpcAddress address = new RpcAddress("127.0.0.1", server.getAddress().getPort());
        Reply refused = own.send(address, "/private", Optional.of("{}"))
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        assertEquals("Bearer 0123456789abcdef0123456789abcdef", authorization);
        assertEquals(Fate.UNAUTHORIZED, refused.fate());
        assertFalse(refused.toString().contains("0123456789"), refused::toString);
        send("/v1", Optional.empty());
        assertEquals("null", authorization);
    }

    @Test
    void keepsTheTokenFromNetworksThatAreNotTrusted() {
        Settings settings = Settings.empty().with("test", "hearth.rest.token", "0123456789abcdef0123456789abcdef");
        HttpAccess access = HttpAccess.from(settings);
        HearthException refused = assertThrows(HearthException.class, () -> access.authorization("192.0.2.1"));
        assertEquals("NOT_AUTHENTICATED", refused.code());
        HttpAccess trusting = HttpAccess.from(settings.with("test", "hearth.rpc.trustedNetwork", "true"));
        assertTrue(trusting.authorization("192.0.2.1").isPresent());
        assertTrue(access.encrypting().authorization("192.0.2.1").isPresent());
        Settings trusted = settings.with("test", "hearth.ssl.rpc.trustCerts", "/no/such.pem");
        assertEquals("https", HttpAccess.from(trusted).scheme());
        HearthException missing = assertThrows(
                HearthException.class, () -> HttpAccess.from(trusted).tls());
        assertEquals("BAD_SETTING", missing.code());
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
