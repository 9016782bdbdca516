package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.http.EventSource.Event;
import dev.hearth.spi.http.EventSource.Listener;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Server-sent events: their format, keep-alive comments, and their end from either side. */
class EventsTest {
    private final EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE);
    private final List<Listener> listeners = new ArrayList<>();
    private final List<Optional<String>> lastIds = new ArrayList<>();
    private final List<String> ended = new ArrayList<>();

    @BeforeEach
    void serve() {
        HttpAnswer events = HttpAnswer.events((listener, last) -> {
            listeners.add(listener);
            lastIds.add(last);
            listener.whenClosed(() -> ended.add("closed"));
        });
        talks.lane.serve("/events", request -> CompletableFuture.completedStage(events));
    }

    @AfterEach
    void close() {
        talks.close();
    }

    @Test
    void writesEventsAsTheyCome() {
        EmbeddedChannel page = talks.connect();
        String head = talks.say(
                page, EmbeddedHttpLane.request("GET", "/events", "Last-Event-ID: 41", "Accept-Encoding: gzip"));
        assertEquals(200, EmbeddedHttpLane.status(head));
        assertEquals(Optional.of("text/event-stream;charset=utf-8"), EmbeddedHttpLane.header(head, "content-type"));
        assertEquals(Optional.of("no-store"), EmbeddedHttpLane.header(head, "cache-control"));
        assertEquals(Optional.of("chunked"), EmbeddedHttpLane.header(head, "transfer-encoding"));
        assertEquals(Optional.empty(), EmbeddedHttpLane.header(head, "content-encoding"));
        assertEquals(List.of(Optional.of("41")), lastIds);
        assertTrue(listeners.get(0).send(new Event("42", "job", "one\ntwo\r\nthree")));
        assertEquals(
                "id: 42\nevent: job\ndata: one\ndata: two\ndata: three\n\n",
                talks.settle(page).replaceAll("(?m)^[0-9a-f]+\r\n|\r\n", ""));
        assertTrue(listeners.get(0).send(Event.of("", "x")));
        assertTrue(talks.settle(page).contains("\ndata: x\n\n"));
    }

    @Test
    void refusesEventsThatWouldBecomeOthers() {
        talks.say(talks.connect(), EmbeddedHttpLane.request("GET", "/events"));
        Listener listener = listeners.get(0);
        assertThrows(IllegalArgumentException.class, () -> listener.send(new Event("1\ndata: x", "", "")));
        assertThrows(IllegalArgumentException.class, () -> listener.send(Event.of("a\rb", "")));
        Event huge = Event.of("", "a".repeat(EventStream.WAITING_BYTES_MAX + 1));
        assertThrows(IllegalArgumentException.class, () -> listener.send(huge));
    }

    @Test
    void sendsKeepAliveCommentsWhileIdle() {
        EmbeddedChannel page = talks.connect();
        assertTrue(EmbeddedHttpLane.body(talks.say(page, EmbeddedHttpLane.request("GET", "/events")))
                .contains(":\n\n"));
        for (int i = 0; i < 20; i++) {
            assertTrue(talks.pass(page, HttpConnection.COMMENT_INTERVAL).contains(":\n\n"), "beat " + i);
        }
        assertTrue(page.isOpen());
    }

    @Test
    void endsWithThePage() {
        EmbeddedChannel page = talks.connect();
        talks.say(page, EmbeddedHttpLane.request("GET", "/events"));
        assertTrue(page.close().isSuccess());
        talks.settle(page);
        assertEquals(List.of("closed"), ended);
        assertFalse(listeners.get(0).send(Event.of("", "x")));
        listeners.get(0).whenClosed(() -> ended.add("at once"));
        assertEquals(List.of("closed", "at once"), ended);
    }

    @Test
    void endsWithTheSourceAndWithTheEnv() {
        EmbeddedChannel first = talks.connect();
        talks.say(first, EmbeddedHttpLane.request("GET", "/events"));
        listeners.get(0).close();
        assertEquals("0\r\n\r\n", talks.settle(first));
        assertFalse(first.isOpen());
        EmbeddedChannel second = talks.connect();
        talks.say(second, EmbeddedHttpLane.request("GET", "/events"));
        talks.lane.close();
        assertEquals("0\r\n\r\n", talks.settle(second));
        assertFalse(second.isOpen());
        assertEquals(List.of("closed", "closed"), ended);
    }

    @Test
    void disconnectsSlowClients() {
        EmbeddedChannel page = talks.connect();
        talks.say(page, EmbeddedHttpLane.request("GET", "/events"));
        Event event = Event.of("", "a".repeat(64 * 1024));
        int taken = 0;
        while (listeners.get(0).send(event)) { // the event loop does not run meanwhile, so nothing is written
            taken++;
        }
        assertEquals(EventStream.WAITING_BYTES_MAX / (64 * 1024) - 1, taken);
        talks.settle(page);
        assertFalse(page.isOpen());
        assertEquals(List.of("closed"), ended);
        assertEquals(1, talks.lane.counts().slowListeners());
    }

    @Test
    void smallEventsCountForWhatTheyCost() {
        talks.say(talks.connect(), EmbeddedHttpLane.request("GET", "/events"));
        Event event = Event.of("", "");
        int taken = 0;
        while (taken < EventStream.WAITING_BYTES_MAX && listeners.get(0).send(event)) {
            taken++;
        }
        assertTrue(taken <= EventStream.WAITING_BYTES_MAX / EventStream.EVENT_OVERHEAD_BYTES, "taken: " + taken);
    }

    @Test
    void takesAnyNumberOfEventsFromASourceThatAClientReads() {
        EmbeddedChannel page = talks.connect();
        talks.say(page, EmbeddedHttpLane.request("GET", "/events"));
        int events = 2 * EventStream.WAITING_BYTES_MAX / EventStream.EVENT_OVERHEAD_BYTES;
        for (int i = 0; i < events; i++) {
            assertTrue(listeners.get(0).send(Event.of("", "x")), "event " + i);
            talks.settle(page);
        }
        assertTrue(page.isOpen());
    }

    @Test
    void endsPagesThatDoNotReadTheEnd() {
        EmbeddedChannel page = talks.connect();
        talks.say(page, EmbeddedHttpLane.request("GET", "/events"));
        page.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
            @Override
            public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
                ReferenceCountUtil.release(message); // it is never sent
            }
        });
        listeners.get(0).close();
        talks.settle(page);
        assertTrue(page.isOpen(), "the end may still leave");
        for (int i = 0; i <= EventStream.COMMENTS_WAITING_MAX; i++) {
            talks.pass(page, HttpConnection.COMMENT_INTERVAL);
        }
        assertFalse(page.isOpen());
        assertEquals(List.of("closed"), ended);
    }

    @Test
    void knowsOldClientsAndHead() {
        EmbeddedChannel old = talks.connect();
        String head = talks.say(old, "GET /events HTTP/1.0\r\n\r\n");
        assertEquals(Optional.empty(), EmbeddedHttpLane.header(head, "transfer-encoding"));
        listeners.get(0).send(Event.of("", "x"));
        assertEquals("data: x\n\n", talks.settle(old));
        assertEquals(200, EmbeddedHttpLane.status(talks.once(EmbeddedHttpLane.request("HEAD", "/events"))));
        assertEquals(1, listeners.size(), "HEAD opens nothing");
    }

    @Test
    void endsStreamsWhoseSourceFails() {
        HttpAnswer broken = HttpAnswer.events((listener, last) -> {
            throw new IllegalStateException("broken");
        });
        talks.lane.serve("/broken", request -> CompletableFuture.completedStage(broken));
        EmbeddedChannel page = talks.connect();
        talks.say(page, EmbeddedHttpLane.request("GET", "/broken"));
        assertFalse(page.isOpen());
    }
}
