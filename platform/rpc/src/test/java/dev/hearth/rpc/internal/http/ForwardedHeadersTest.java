package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.http.ForwardedHeaders.Seen;
import dev.hearth.rpc.internal.http.ForwardedHeaders.Sender;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.AddressRange;
import dev.hearth.spi.rpc.HttpTrust;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.time.Ticker;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports of proxies about their clients: only those of trusted proxies count, and handlers never get the headers. */
class ForwardedHeadersTest {
    private static final HttpTrust TRUST = new HttpTrust(
            List.of(
                    AddressRange.parse("10.1.0.0/16").orElseThrow(),
                    AddressRange.parse("fd00::/8").orElseThrow()),
            List.of("pages.example"),
            List.of());
    private final ForwardedHeaders headers = new ForwardedHeaders(TRUST);

    @Test
    void believesATrustedProxy() throws RequestRefused {
        Seen seen = read(
                "10.1.2.3",
                "X-Forwarded-For: 1.1.1.1, 203.0.113.9, 10.1.0.7",
                "X-Forwarded-Proto: https",
                "X-Forwarded-Host: pages.example:8443",
                "X-Forwarded-Prefix: /user/ann/",
                "X-Forwarded-User: ann",
                "Accept: a");
        assertEquals("203.0.113.9", seen.remote(), "the nearest address that is no trusted proxy");
        assertEquals(true, seen.secure());
        assertEquals(new HttpRequest.Client("ann", "pages.example:8443", "/user/ann"), seen.client());
        assertEquals(List.of("host", "accept"), List.copyOf(seen.headers().keySet()));
    }

    @Test
    void ignoresOtherSenders() throws RequestRefused {
        Seen seen = read(
                "10.2.2.3",
                "X-Forwarded-For: 203.0.113.9",
                "X-Forwarded-Proto: https",
                "X-Forwarded-User: root",
                "Forwarded: for=1.2.3.4",
                "Accept: a");
        assertEquals("10.2.2.3:5", seen.remote());
        assertEquals(false, seen.secure());
        assertEquals(new HttpRequest.Client("", "localhost:1", ""), seen.client());
        assertEquals(List.of("host", "accept"), List.copyOf(seen.headers().keySet()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "203.0.113.9:4711 | 203.0.113.9",
                "[2001:db8::7]:4711 | 2001:db8:0:0:0:0:0:7",
                "2001:db8::7 | 2001:db8:0:0:0:0:0:7",
                "unknown | 10.1.2.3:5",
                "1.1.1.1, client.example | 10.1.2.3:5",
                "10.1.0.1, fd00::1 | 10.1.2.3:5",
                "1.1.1.1, , 203.0.113.9 | 203.0.113.9"
            })
    void readsAddresses(String header, String remote) throws RequestRefused {
        assertEquals(remote, read("10.1.2.3", "X-Forwarded-For: " + header).remote());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X-Forwarded-Proto: gopher",
                "X-Forwarded-Host: a b",
                "X-Forwarded-Prefix: user",
                "X-Forwarded-Prefix: //evil.example",
                "X-Forwarded-Prefix: /a/../b",
                "X-Forwarded-Prefix: /a?b"
            })
    void refusesMalformedReports(String header) {
        assertEquals(
                HttpError.BAD_REQUEST,
                assertThrows(RequestRefused.class, () -> read("10.1.2.3", header))
                        .fault());
    }

    @Test
    void servesAClientOfAProxyOnThisMachine() throws Exception {
        List<HttpRequest> served = new ArrayList<>();
        HttpTrust trust =
                new HttpTrust(List.of(AddressRange.parse("127.0.0.1").orElseThrow()), List.of("*.example"), List.of());
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty(), Ticker.system(), trust)) {
            server.lane.serve("/x", request -> {
                served.add(request);
                return CompletableFuture.completedStage(HttpAnswer.text(200, request.link("/x")));
            });
            assertEquals(200, status(server, "X-Forwarded-Host: pages.example", "X-Forwarded-Prefix: /p"));
            assertEquals("/p/x", served.get(0).link(served.get(0).path()));
            String index = ask(server, "/", "X-Forwarded-Prefix: /p", "Accept: text/html");
            assertTrue(index.contains("href=\"/p/x\""), index);
            assertEquals(421, status(server, "X-Forwarded-Host: evil.test"));
            assertEquals(1, served.size());
        }
    }

    private static int status(LoopbackServer server, String... more) throws Exception {
        return EmbeddedHttpLane.status(ask(server, "/x", more));
    }

    private static String ask(LoopbackServer server, String path, String... more) throws Exception {
        try (Socket socket = server.connect()) {
            LoopbackServer.say(
                    socket,
                    EmbeddedHttpLane.request("GET", path, more).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private Seen read(String address, String... lines) throws RequestRefused {
        DefaultHttpRequest request = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/x");
        request.headers().add("Host", "localhost:1");
        for (String line : lines) {
            int colon = line.indexOf(": ");
            request.headers().add(line.substring(0, colon), line.substring(colon + 2));
        }
        return headers.read(RequestHead.of(request), new Sender(AddressRange.address(address), address + ":5", false));
    }
}
