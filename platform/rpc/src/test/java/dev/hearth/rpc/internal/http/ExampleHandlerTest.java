package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The example of docs/http.md behaves as the page states. */
class ExampleHandlerTest {
    private final EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE);

    @AfterEach
    void close() {
        talks.close();
    }

    @Test
    void servesAPageAnInterfaceAndEvents() {
        talks.whiteboard.bind(new ExampleHandler(), Map.of(HttpHandler.PREFIX, "/example", "service.id", 1L));
        EmbeddedChannel page = talks.connect();
        assertTrue(talks.say(page, EmbeddedHttpLane.request("GET", "/example/events"))
                .contains("event: count\ndata: 0\n\n"));
        assertEquals(
                "{\"count\":1}", EmbeddedHttpLane.body(talks.once(EmbeddedHttpLane.request("POST", "/example/count"))));
        assertTrue(talks.settle(page).contains("id: 1\nevent: count\ndata: 1\n\n"));
        assertEquals("{\"count\":1}", EmbeddedHttpLane.body(talks.get("/example/count")));
        assertTrue(EmbeddedHttpLane.body(talks.get("/example/")).endsWith("<p>1"));
        assertEquals(404, EmbeddedHttpLane.status(talks.get("/example/other")));
    }
}
