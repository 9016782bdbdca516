package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.rpc.internal.RecordedLogs;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.time.Ticker;
import dev.hearth.testkit.FakeTicker;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Handlers that do not return: the responses to their clients, and the service of all others. */
class HangingHandlersTest {
    private static final int PER_HANDLER = HandlerPool.THREADS_PER_HANDLER_MAX;
    private static final Duration CALL_MAX = HandlerPool.CALL_MAX;

    @Test
    void aHangingHandlerDoesNotBlockOthersAndIsRefusedByName() throws Exception {
        SharedTicker time = new SharedTicker();
        CountDownLatch release = new CountDownLatch(1);
        Semaphore hanging = new Semaphore(0);
        HttpHandler hangs = request -> {
            hanging.release();
            assertDoesNotThrow(() -> release.await(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS));
            return CompletableFuture.completedStage(HttpAnswer.text(200, "late"));
        };
        try (LoopbackServer server = new LoopbackServer(RpcSecurity.NONE, Optional.empty(), time)) {
            server.lane.serve("/bad", hangs);
            server.lane.serve("/worse", hangs);
            server.lane.serve("/good", request -> CompletableFuture.completedStage(HttpAnswer.text(200, "good")));
            List<CompletableFuture<HttpResponse<String>>> late = new ArrayList<>();
            for (int i = 0; i < PER_HANDLER; i++) {
                late.add(ask(server, "/bad"));
            }
            await(hanging, PER_HANDLER);
            CompletableFuture<HttpResponse<String>> waiting = ask(server, "/bad");
            assertEquals("good", answer(ask(server, "/good")).body(), "there are threads for others");
            for (int i = PER_HANDLER; i < HandlerPool.THREADS_MAX; i++) {
                late.add(ask(server, "/worse"));
            }
            await(hanging, HandlerPool.THREADS_MAX - PER_HANDLER);

            time.advance(CALL_MAX);
            assertEquals("good", answer(ask(server, "/good")).body(), "in place of those that hang");
            assertEquals(HandlerPool.THREADS_MAX, server.lane.counts().abandoned());
            for (HttpResponse<String> refused : List.of(answer(waiting), answer(ask(server, "/bad")))) {
                assertEquals(503, refused.statusCode());
                assertTrue(refused.body().contains("handler of /bad: too many"), refused.body());
                assertEquals(Optional.of("60"), refused.headers().firstValue("retry-after"));
            }

            release.countDown();
            for (CompletableFuture<HttpResponse<String>> one : late) {
                assertEquals("late", answer(one).body(), "its caller has waited all the same");
            }
            assertTimeoutPreemptively(Duration.ofMillis(LoopbackServer.BOUND_MILLIS), () -> {
                while (server.lane.counts().abandoned() > 0) {
                    Thread.onSpinWait();
                }
            });
            assertEquals(200, answer(ask(server, "/bad")).statusCode(), "it is asked again");
        }
    }

    @Test
    void distinguishesStartedFromWaitingCalls() {
        try (EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE);
                RecordedLogs.Recording logs = RecordedLogs.begin()) {
            talks.lane.serve("/bad", request -> CompletableFuture.completedStage(HttpAnswer.text(200, "back")));
            talks.lane.serve("/good", request -> CompletableFuture.completedStage(HttpAnswer.text(200, "good")));
            List<EmbeddedChannel> callers = new ArrayList<>();
            for (int i = 0; i <= PER_HANDLER; i++) {
                callers.add(talks.connect());
                callers.get(i)
                        .writeInbound(Unpooled.copiedBuffer(
                                EmbeddedHttpLane.request("GET", "/bad"), StandardCharsets.US_ASCII));
            }
            List<Runnable> held = new ArrayList<>(talks.work());
            talks.work().clear();
            assertEquals(PER_HANDLER, held.size());
            assertEquals(1, talks.lane.counts().waiting());

            String never = talks.pass(callers.get(PER_HANDLER), CALL_MAX);

            assertEquals(503, EmbeddedHttpLane.status(never), never);
            assertTrue(never.contains("handler of /bad: all its threads have been busy for 60 s"), never);
            assertEquals(PER_HANDLER, talks.lane.counts().abandoned());
            assertTrue(talks.get("/bad").contains("too many of its calls"), "by name");
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/good")));
            assertTrue(logs.lines().stream().anyMatch(line -> line.startsWith("WARN") && line.contains("abandoned")));
            held.forEach(Runnable::run);
            assertEquals(0, talks.lane.counts().abandoned());
            assertEquals(200, EmbeddedHttpLane.status(talks.get("/bad")));
        }
    }

    @Test
    void abandonsABoundedNumber() {
        FakeTicker time = new FakeTicker();
        ArrayDeque<Runnable> threads = new ArrayDeque<>(); // none of them runs
        HandlerPool pool = new HandlerPool(threads::add, () -> {}, time);
        int handlers = HandlerPool.ABANDONED_MAX / PER_HANDLER + 1;
        for (int handler = 0; handler < handlers; handler++) {
            for (int i = 0; i < PER_HANDLER; i++) {
                int prefix = handler;
                assertDoesNotThrow(() -> pool.submit(mount("/" + prefix), work()));
            }
            time.advance(CALL_MAX);
            pool.abandonOverdue();
        }
        assertEquals(HandlerPool.ABANDONED_MAX, pool.abandoned());
        for (int handler = 0; handler < handlers; handler++) {
            int prefix = handler;
            RequestRefused refused = assertThrows(RequestRefused.class, () -> pool.submit(mount("/" + prefix), work()));
            assertTrue(refused.text().startsWith("handler of /" + prefix + ": too many"), refused.text());
        }
        int asked = threads.size();
        assertDoesNotThrow(() -> pool.submit(mount("/new"), work()));
        assertEquals(asked + 1, threads.size(), "there is a thread for a handler that has not failed yet");
        assertTrue(threads.size() <= HandlerPool.ABANDONED_MAX + HandlerPool.THREADS_MAX);
    }

    private static CompletableFuture<HttpResponse<String>> ask(LoopbackServer server, String path) {
        URI uri = URI.create("http://127.0.0.1:" + server.port() + path);
        return HttpClient.newHttpClient().sendAsync(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private static HttpResponse<String> answer(CompletableFuture<HttpResponse<String>> asked) throws Exception {
        return asked.get(LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void await(Semaphore hanging, int calls) throws Exception {
        assertTrue(hanging.tryAcquire(calls, LoopbackServer.BOUND_MILLIS, TimeUnit.MILLISECONDS), "not called");
    }

    private static Mount mount(String prefix) {
        return new Mount(
                prefix, request -> new CompletableFuture<>(), false, OptionalInt.empty(), 0, "the test's handler");
    }

    private static HandlerPool.Work work() {
        return HandlerPool.Work.of(() -> {});
    }

    /** A virtual clock, read by all threads of a server. */
    private static final class SharedTicker implements Ticker {
        private final AtomicLong nanos = new AtomicLong();

        @Override
        public long nanos() {
            return nanos.get();
        }

        @Override
        public Instant wall() {
            return Instant.EPOCH.plusNanos(nanos.get());
        }

        void advance(Duration time) {
            nanos.addAndGet(time.toNanos());
        }
    }
}
