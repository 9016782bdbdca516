package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.FakeTicker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Memory of responses: limit, order of waiting requests, and stalled clients. */
class ResponseMemoryTest {
    private static final Duration STALL = Duration.ofSeconds(2);
    private static final long MEBIBYTE = 1024 * 1024;

    private final FakeTicker ticker = new FakeTicker();
    private final ResponseMemory memory = new ResponseMemory(8 * MEBIBYTE, STALL, ticker);
    private final List<String> events = new ArrayList<>();

    @Test
    void grantsWaitingRequestsInTheirOrderAsBytesAreReleased() {
        ResponseMemory.Share first = share("first");
        assertEquals(ResponseMemory.Request.GRANTED, request(first, "first", 7 * MEBIBYTE));
        assertEquals(ResponseMemory.Request.WAITS, request(share("second"), "second", 6 * MEBIBYTE));
        assertEquals(ResponseMemory.Request.WAITS, request(share("third"), "third", MEBIBYTE));
        assertEquals(ResponseMemory.Request.GRANTED, request(share("small"), "small", 1024), "its part is kept free");
        assertEquals(7 * MEBIBYTE + 1024, memory.bytes());
        first.release();
        assertEquals(List.of("granted second"), events, "the third waits for the second");
    }

    @Test
    void disconnectsTheLongestStalledClientsWhenTheMemoryIsNeeded() {
        ResponseMemory.Share stalled = sending("stalled", 3 * MEBIBYTE);
        ResponseMemory.Share reading = sending("reading", 3 * MEBIBYTE);
        ticker.advance(STALL);
        reading.progressed();
        assertEquals(List.of(), events, "nothing happens while there is room");
        assertEquals(ResponseMemory.Request.GRANTED, request(share("next"), "next", 3 * MEBIBYTE));
        assertEquals(List.of("disconnected stalled"), events);
        assertEquals(1, memory.disconnected());
        stalled.release();
        assertEquals(6 * MEBIBYTE, memory.bytes(), "released once");
    }

    @Test
    void aRequestThatGivesUpTakesTheRoomOfClientsThatStalledMeanwhile() {
        sending("stalling", 7 * MEBIBYTE);
        ResponseMemory.Share next = share("next");
        assertEquals(ResponseMemory.Request.WAITS, request(next, "next", MEBIBYTE));
        ResponseMemory.Share busy = share("busy");
        assertEquals(ResponseMemory.Request.WAITS, request(busy, "busy", 7 * MEBIBYTE));
        ticker.advance(STALL);
        assertFalse(next.giveUp(), "it was granted");
        assertEquals(List.of("disconnected stalling", "granted next"), events);
        assertTrue(busy.giveUp());
    }

    @Test
    void anAnswerBeyondTheLimitNeedsTheMemoryForItself() {
        ResponseMemory.Share huge = share("huge");
        assertTrue(huge.reserve(20 * MEBIBYTE));
        assertTrue(huge.reserve(20 * MEBIBYTE));
        assertFalse(share("next").reserve(20 * MEBIBYTE));
        huge.release();
        assertEquals(0, memory.bytes());
        assertTrue(huge.reserve(MEBIBYTE), "dropped, so it needs nothing");
        assertEquals(0, memory.bytes());
    }

    @Test
    void boundsTheNumberOfWaitingRequests() {
        sending("reading", 7 * MEBIBYTE);
        for (int i = 0; i < ResponseMemory.WAITING_MAX; i++) {
            assertEquals(ResponseMemory.Request.WAITS, request(share("x"), "x", MEBIBYTE));
        }
        assertEquals(ResponseMemory.Request.REFUSED, request(share("x"), "x", MEBIBYTE));
    }

    private ResponseMemory.Share share(String name) {
        return memory.open(() -> events.add("disconnected " + name));
    }

    private ResponseMemory.Share sending(String name, long bytes) {
        ResponseMemory.Share share = share(name);
        assertTrue(share.reserve(bytes));
        share.progressed();
        return share;
    }

    private ResponseMemory.Request request(ResponseMemory.Share share, String name, long bytes) {
        return share.request(bytes, () -> events.add("granted " + name));
    }
}
