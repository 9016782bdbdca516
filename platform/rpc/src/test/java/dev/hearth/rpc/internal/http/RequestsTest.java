package dev.hearth.rpc.internal.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.http.HttpAnswer;
import dev.hearth.spi.http.HttpHandler;
import dev.hearth.spi.http.HttpRequest;
import dev.hearth.spi.net.Registration;
import dev.hearth.spi.rpc.RpcSecurity;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests from the first byte to the end of the response: limits, order, timeouts, and refusals. */
class RequestsTest {
    private final EmbeddedHttpLane talks = new EmbeddedHttpLane(RpcSecurity.NONE);
    private final List<HttpRequest> seen = new ArrayList<>();

    @AfterEach
    void close() {
        talks.close();
    }

    @Test
    void passesTheRequestToItsHandler() {
        talks.lane.serve("/api", remember(HttpAnswer.text(200, "hello")));
        String[] headers = {"X-Some: 1", "x-some: 2", "Content-Length: 3"};
        String answer = talks.once(EmbeddedHttpLane.request("POST", "//api/%61/../b?c=d&c=e", headers) + "abc");
        assertEquals(200, EmbeddedHttpLane.status(answer));
        assertEquals("hello", EmbeddedHttpLane.body(answer));
        HttpRequest request = seen.get(0);
        assertEquals("POST", request.method());
        assertEquals("/api/b", request.path());
        assertEquals("b", request.rest());
        assertEquals(Map.of("c", List.of("d", "e")), request.query());
        assertEquals(List.of("1", "2"), request.headers().get("x-some"));
        assertEquals("abc", new String(request.body().toArray(), StandardCharsets.US_ASCII));
        assertEquals("10.0.0.1:5", request.remote());
    }

    @Test
    void joinsChunks() {
        talks.lane.serve("/", remember(HttpAnswer.empty(204)));
        String body = "3~abc~2~de~0~~".replace("~", "\r\n");
        String answer = talks.once(EmbeddedHttpLane.request("POST", "/", "Transfer-Encoding: chunked") + body);
        assertEquals(204, EmbeddedHttpLane.status(answer));
        assertEquals(5, seen.get(0).body().size());
        assertEquals(Optional.empty(), EmbeddedHttpLane.header(answer, "content-length"));
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        List<CompletableFuture<HttpAnswer>> open = new ArrayList<>();
        talks.lane.serve("/", request -> {
            seen.add(request);
            open.add(new CompletableFuture<>());
            return open.get(open.size() - 1);
        });
        EmbeddedChannel channel = talks.connect();
        String all = EmbeddedHttpLane.request("GET", "/1")
                + EmbeddedHttpLane.request("GET", "/2")
                + EmbeddedHttpLane.request("GET", "/3");
        assertEquals("", talks.say(channel, all));
        StringBuilder bodies = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            assertEquals(i + 1, open.size(), "one at a time");
            open.get(i).complete(HttpAnswer.text(200, seen.get(i).path()));
            bodies.append(EmbeddedHttpLane.body(talks.settle(channel)));
        }
        assertEquals("/1/2/3", bodies.toString());
        assertTrue(channel.isOpen());
    }

    @Test
    void refusesAFoldedHeaderHoweverItArrives() {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "x")));
        EmbeddedChannel connection = talks.connect();
        String folded = EmbeddedHttpLane.request("GET", "/", "X-A: b\r\n c");
        String answers = talks.say(connection, EmbeddedHttpLane.request("GET", "/") + folded);
        assertTrue(answers.startsWith("HTTP/1.1 200 ") && answers.contains("HTTP/1.1 400 "), answers);
        EmbeddedChannel slow = talks.connect();
        StringBuilder answer = new StringBuilder();
        for (int i = 0; i < folded.length() && answer.length() == 0; i++) {
            answer.append(talks.say(slow, folded.substring(i, i + 1)));
        }
        assertEquals(400, EmbeddedHttpLane.status(answer.toString()));
        talks.pass(slow, Duration.ofSeconds(3));
        assertFalse(slow.isOpen());
        assertEquals(1, seen.size());
        String body = " not a head\r\n\t";
        String whole = EmbeddedHttpLane.request("POST", "/", "Content-Length: " + body.length()) + body;
        assertEquals(200, EmbeddedHttpLane.status(talks.once(whole)), "bodies may begin with anything");
    }

    @Test
    void ignoresAFewEmptyLinesBeforeARequest() {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "x")));
        EmbeddedChannel connection = talks.connect();
        String request = "\r\n\r\n" + EmbeddedHttpLane.request("GET", "/");
        assertEquals(200, EmbeddedHttpLane.status(talks.say(connection, request)));
        StringBuilder answer = new StringBuilder();
        for (int i = 0; i < request.length(); i++) {
            answer.append(talks.say(connection, request.substring(i, i + 1)));
        }
        assertEquals(200, EmbeddedHttpLane.status(answer.toString()));
        talks.say(connection, "\r\n");
        assertEquals("", talks.pass(connection, Duration.ofSeconds(11)), "an empty line begins no request");
        assertEquals(200, EmbeddedHttpLane.status(talks.say(connection, EmbeddedHttpLane.request("GET", "/"))));
    }

    @Test
    void completesRequestsOfAnUnregisteredHandler() {
        CompletableFuture<HttpAnswer> later = new CompletableFuture<>();
        Registration registration = talks.lane.serve("/a", request -> later);
        EmbeddedChannel channel = talks.connect();
        talks.say(channel, EmbeddedHttpLane.request("GET", "/a"));
        registration.close();
        assertEquals(404, EmbeddedHttpLane.status(talks.get("/a")));
        later.complete(HttpAnswer.text(200, "done"));
        assertEquals("done", EmbeddedHttpLane.body(talks.settle(channel)));
    }

    @Test
    void keepsAndEndsConnectionsAsAsked() {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "x")));
        EmbeddedChannel connection = talks.connect();
        talks.say(connection, EmbeddedHttpLane.request("GET", "/"));
        assertEquals(200, EmbeddedHttpLane.status(talks.say(connection, EmbeddedHttpLane.request("GET", "/"))));
        assertTrue(connection.isOpen());
        talks.pass(connection, HttpConnection.IDLE_MAX.minusSeconds(1));
        assertTrue(connection.isOpen());
        talks.pass(connection, Duration.ofSeconds(2));
        assertFalse(connection.isOpen(), "idle for too long");

        EmbeddedChannel ended = talks.connect();
        String answer = talks.say(ended, EmbeddedHttpLane.request("GET", "/", "Connection: close"));
        assertEquals(Optional.of("close"), EmbeddedHttpLane.header(answer, "connection"));
        assertFalse(ended.isOpen());

        EmbeddedChannel old = talks.connect();
        assertEquals(
                "HTTP/1.0 200 OK",
                talks.say(old, "GET / HTTP/1.0\r\n\r\n").lines().findFirst().orElseThrow());
        assertFalse(old.isOpen());
        EmbeddedChannel oldKept = talks.connect();
        talks.say(oldKept, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
        assertTrue(oldKept.isOpen());
    }

    @Test
    void saysWithoutABodyWhatHeadAsks() {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "12345")));
        String answer = talks.once(EmbeddedHttpLane.request("HEAD", "/"));
        assertEquals(Optional.of("5"), EmbeddedHttpLane.header(answer, "content-length"));
        assertEquals("", EmbeddedHttpLane.body(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "/", "/nowhere"})
    void tellsTheMethodsAndOpensNothingToOtherSites(String target) {
        String answer = talks.once(EmbeddedHttpLane.request("OPTIONS", target, "Origin: http://evil.example"));
        assertEquals(204, EmbeddedHttpLane.status(answer));
        assertTrue(EmbeddedHttpLane.header(answer, "allow").orElseThrow().contains("DELETE"));
        assertEquals(Optional.empty(), EmbeddedHttpLane.header(answer, "access-control-allow-origin"));
    }

    @ParameterizedTest
    @CsvSource({
        "400, 'GET / HTTP/1.1~~'",
        "400, 'GET / HTTP/1.1~Host: a~Host: b~~'",
        "400, 'POST / HTTP/1.1~Host: localhost~Content-Length: 3~Content-Length: 4~~abcd'",
        "400, 'POST / HTTP/1.1~Host: localhost~Content-Length: 3~Transfer-Encoding: chunked~~0~~'",
        "400, 'POST / HTTP/1.1~Host: localhost~Content-Length: -1~~'",
        "400, 'POST / HTTP/1.1~Host: localhost~Content-Length: +3~~abc'",
        "400, 'POST / HTTP/1.1~Host: localhost~Content-Length: 3, 3~~abc'",
        "400, 'POST / HTTP/1.1~Host: localhost~Transfer-Encoding: gzip, chunked~~0~~'",
        "400, 'POST / HTTP/1.1~Host: localhost~Transfer-Encoding: xchunked~~0~~'",
        "400, 'POST / HTTP/1.0~Transfer-Encoding: chunked~~0~~'",
        "400, 'POST / HTTP/1.1~Host: localhost~Transfer-Encoding: chunked~~zz~~'",
        "400, 'GET / HTTP/1.1~Host : localhost~~'",
        "400, 'GET / HTTP/1.1~Host: localhost~ folded~~'",
        "400, 'GET / HTTP/1.1~Host: localhost~X-A: b~ c~~'",
        "400, 'GET / HTTP/1.1~Host: localhost~X-A: b~\tc~X-B: d~~'",
        "400, 'GET / HTTP/1.1~Host: localhost~Authorization: Bearer~ x~~'",
        "400, 'GET / HTTP/1.1~ X-A: b~Host: localhost~~'",
        "400, 'GET / HTTP/1.1~\t~Host: localhost~~'",
        "400, ' GET / HTTP/1.1~Host: localhost~~'",
        "400, '~~~~~GET / HTTP/1.1~Host: localhost~~'",
        "400, 'GET /../x HTTP/1.1~Host: localhost~~'",
        "400, 'GET /%2e%2e/x HTTP/1.1~Host: localhost~~'",
        "400, 'GET nowhere HTTP/1.1~Host: localhost~~'",
        "400, 'GET * HTTP/1.1~Host: localhost~~'",
        "417, 'POST / HTTP/1.1~Host: localhost~Expect: wonders~Content-Length: 1~~a'",
        "501, 'TRACE / HTTP/1.1~Host: localhost~~'",
        "501, 'CONNECT a:1 HTTP/1.1~Host: localhost~~'",
        "505, 'GET / HTTP/1.7~Host: localhost~~'",
        "413, 'POST / HTTP/1.1~Host: localhost~Content-Length: 99999999999~~'"
    })
    void refusesWhatIsWrongOrDoubtful(int status, String text) {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "x")));
        EmbeddedChannel channel = talks.connect();
        String answer = talks.say(channel, text.replace("~", "\r\n"));
        assertEquals(status, EmbeddedHttpLane.status(answer), answer);
        assertTrue(EmbeddedHttpLane.body(answer).startsWith("{\"code\":\""), answer);
        assertEquals(List.of(), seen);
        if (status != 505 && status != 501 && !text.startsWith("GET /") && !text.startsWith("GET *")) {
            talks.pass(channel, Duration.ofSeconds(3));
            assertFalse(channel.isOpen(), "the start of the next request is unknown");
        }
    }

    @Test
    void boundsLinesAndHeaders() {
        assertEquals(414, EmbeddedHttpLane.status(talks.get("/" + "a".repeat(RequestHead.LINE_BYTES_MAX))));
        assertEquals(431, EmbeddedHttpLane.status(talks.get("/", "X: " + "a".repeat(RequestHead.HEADERS_BYTES_MAX))));
        String[] many = new String[101];
        Arrays.fill(many, "X: 1");
        assertEquals(431, EmbeddedHttpLane.status(talks.get("/", many)));
    }

    @Test
    void boundsBodiesBeforeAndWhileTheyCome() {
        talks.whiteboard.bind(
                remember(HttpAnswer.text(200, "x")), Map.of(HttpHandler.PREFIX, "/", HttpHandler.BODY_MAX, 10));
        EmbeddedChannel declared = talks.connect();
        assertEquals(
                413,
                EmbeddedHttpLane.status(
                        talks.say(declared, EmbeddedHttpLane.request("POST", "/", "Content-Length: 11"))));
        EmbeddedChannel chunked = talks.connect();
        assertEquals(
                "",
                talks.say(
                        chunked,
                        EmbeddedHttpLane.request("POST", "/", "Transfer-Encoding: chunked") + "8\r\n12345678\r\n"));
        assertEquals(413, EmbeddedHttpLane.status(talks.say(chunked, "3\r\n123\r\n")));
        assertEquals(0, talks.lane.counts().bodyBytes());
        assertEquals(
                200,
                EmbeddedHttpLane.status(
                        talks.once(EmbeddedHttpLane.request("POST", "/", "Content-Length: 10") + "1234567890")));
        assertEquals(1, seen.size());
    }

    @Test
    void sendsContinueOnlyForAcceptedRequests() {
        talks.lane.serve("/a", remember(HttpAnswer.text(200, "x")));
        EmbeddedChannel welcome = talks.connect();
        String[] headers = {"Expect: 100-continue", "Content-Length: 3"};
        assertEquals(
                "HTTP/1.1 100 Continue\r\n\r\n", talks.say(welcome, EmbeddedHttpLane.request("POST", "/a", headers)));
        assertEquals(200, EmbeddedHttpLane.status(talks.say(welcome, "abc")));
        EmbeddedChannel not = talks.connect();
        String answer = talks.say(not, EmbeddedHttpLane.request("POST", "/b", headers));
        assertEquals(404, EmbeddedHttpLane.status(answer));
        assertEquals(Optional.of("close"), EmbeddedHttpLane.header(answer, "connection"));
    }

    @Test
    void endsHeadsAndBodiesThatComeTooSlowly() {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "x")));
        EmbeddedChannel head = talks.connect();
        talks.say(head, "GET / HT");
        talks.pass(head, Duration.ofSeconds(6));
        talks.say(head, "TP/1.1\r\n");
        assertEquals(408, EmbeddedHttpLane.status(talks.pass(head, Duration.ofSeconds(5))));
        talks.pass(head, Duration.ofSeconds(3));
        assertFalse(head.isOpen());

        EmbeddedChannel body = talks.connect();
        talks.say(body, EmbeddedHttpLane.request("POST", "/", "Content-Length: 100000"));
        talks.say(body, "a".repeat(20_000));
        assertEquals("", talks.pass(body, Duration.ofSeconds(10)), "fast enough until now");
        talks.say(body, "a".repeat(20));
        assertEquals(408, EmbeddedHttpLane.status(talks.pass(body, Duration.ofSeconds(10))));
        assertEquals(0, talks.lane.counts().bodyBytes());
    }

    @Test
    void givesHandlersAMinute() {
        CompletableFuture<HttpAnswer> never = new CompletableFuture<>();
        talks.lane.serve("/", request -> never);
        EmbeddedChannel channel = talks.connect();
        assertEquals("", talks.say(channel, EmbeddedHttpLane.request("GET", "/")));
        assertEquals(504, EmbeddedHttpLane.status(talks.pass(channel, HttpConnection.HANDLER_MAX)));
        never.complete(HttpAnswer.text(200, "too late"));
        assertEquals("", talks.settle(channel));
        assertTrue(channel.isOpen());
    }

    @Test
    void answersNoRequestWithTheAnswerToTheOneBefore() {
        CompletableFuture<HttpAnswer> first = new CompletableFuture<>();
        CompletableFuture<HttpAnswer> second = new CompletableFuture<>();
        talks.lane.serve("/first", request -> first);
        talks.lane.serve("/second", request -> second);
        EmbeddedChannel channel = talks.connect();
        talks.say(channel, EmbeddedHttpLane.request("GET", "/first"));
        talks.say(channel, EmbeddedHttpLane.request("GET", "/second"));
        List<String> answers = new ArrayList<>();
        first.completeExceptionally(new CompletionException("broken", null) {
            private static final long serialVersionUID = 1L;

            @Override
            public synchronized Throwable getCause() { // the first is given up while its answer is rendered
                if (answers.isEmpty()) {
                    answers.add("");
                    answers.set(0, talks.pass(channel, HttpConnection.HANDLER_MAX));
                }
                return new IllegalStateException("broken");
            }
        });
        assertEquals("", talks.settle(channel));
        assertEquals(504, EmbeddedHttpLane.status(answers.get(0)));
        second.complete(HttpAnswer.text(200, "second"));
        assertEquals("second", EmbeddedHttpLane.body(talks.settle(channel)));
    }

    @Test
    void refusesRequestsWhenTooManyWait() {
        talks.lane.serve("/", remember(HttpAnswer.text(200, "x")));
        List<EmbeddedChannel> waiting = new ArrayList<>();
        for (int i = 0; i < HandlerPool.THREADS_PER_HANDLER_MAX + HandlerPool.REQUESTS_WAITING_MAX; i++) {
            waiting.add(talks.connect());
            waiting.get(i).writeInbound(bytes(EmbeddedHttpLane.request("GET", "/")));
        }
        EmbeddedChannel late = talks.connect();
        late.writeInbound(bytes(EmbeddedHttpLane.request("GET", "/")));
        String answer = EmbeddedHttpLane.output(late);
        assertEquals(503, EmbeddedHttpLane.status(answer));
        assertEquals(Optional.of("1"), EmbeddedHttpLane.header(answer, "retry-after"));
        for (EmbeddedChannel channel : waiting) {
            assertEquals(200, EmbeddedHttpLane.status(talks.settle(channel)));
        }
        assertEquals(1, talks.lane.counts().failures());
    }

    @Test
    void showsNoStackOfWhatFailed() {
        talks.lane.serve("/thrown", request -> {
            throw new IllegalStateException("secret detail");
        });
        talks.lane.serve(
                "/failed", request -> CompletableFuture.failedStage(new HearthException("SOME_CODE", "do this")));
        talks.lane.serve("/nothing", request -> nothing());
        talks.lane.serve("/header", request -> stage(HttpAnswer.text(200, "x").with("X", "a\r\nb")));
        talks.lane.serve("/ours", request -> stage(HttpAnswer.text(200, "x").with("Transfer-Encoding", "gzip")));
        for (String path : List.of("/thrown", "/nothing", "/header", "/ours")) {
            String answer = talks.get(path);
            assertEquals(500, EmbeddedHttpLane.status(answer), path);
            assertFalse(answer.contains("secret detail"));
            assertTrue(
                    EmbeddedHttpLane.body(answer).startsWith("{\"code\":\"INTERNAL\",\"message\":\"request "), answer);
        }
        assertTrue(EmbeddedHttpLane.body(talks.get("/failed"))
                .startsWith("{\"code\":\"SOME_CODE\",\"message\":\"do this\"}"));
        assertEquals("SOME_CODE: do this\n", EmbeddedHttpLane.body(talks.get("/failed", "Accept: text/plain")));
    }

    @Test
    void listsServedPaths() {
        talks.lane.serve("/v1/submissions", remember(HttpAnswer.text(200, "x")));
        talks.whiteboard.bind(remember(HttpAnswer.text(200, "x")), Map.of(HttpHandler.PREFIX, "/a<b>"));
        talks.whiteboard.bind(remember(HttpAnswer.text(200, "x")), Map.of(HttpHandler.PREFIX, "/<b>"));
        String page = talks.get("/nowhere<i>".replace("<i>", "%3Ci%3E"), "Accept: text/html");
        assertEquals(404, EmbeddedHttpLane.status(page));
        assertTrue(page.contains("<a href=\"/v1/submissions\">"), page);
        assertFalse(page.contains("<i>"), page);
        String json = talks.get("/nowhere", "Accept: application/json");
        assertEquals(404, EmbeddedHttpLane.status(json));
        assertTrue(json.contains("\"paths\":["), json);
        String index = talks.get("/", "Accept: application/json");
        assertEquals(200, EmbeddedHttpLane.status(index));
        assertTrue(index.contains("\"name\":\"master\",\"version\":\"1.2.3\""), index);
        assertEquals(200, EmbeddedHttpLane.status(talks.get("/")));
        assertEquals(404, EmbeddedHttpLane.status(talks.once(EmbeddedHttpLane.request("POST", "/"))));
    }

    @Test
    void saysWhatTheProcessIsAndWhatItsHandlersServe() {
        talks.lane.serve("/json", new Described("state of <all>"));
        talks.lane.serve("/odd", new Described(null));
        String index = EmbeddedHttpLane.body(talks.get("/", "Accept: application/json"));
        assertTrue(index.contains("\"since\":\"2026-01-01T00:00:00Z\",\"state\":\"running\""), index);
        assertTrue(index.contains("\"url\":\"http://"), index);
        assertTrue(index.contains("{\"path\":\"/json\",\"description\":\"state of \\u003call\\u003e\"}"), index);
        assertTrue(index.contains("{\"path\":\"/odd\",\"description\":\"\"}"), index);
        String page = EmbeddedHttpLane.body(talks.get("/", "Accept: text/html"));
        assertTrue(page.contains("<h1>master</h1><dl><dt>version</dt><dd>1.2.3</dd>"), page);
        assertTrue(page.contains("<a href=\"/json\">/json</a>: state of &lt;all&gt;</li>"), page);
        assertFalse(page.contains("<script") || page.contains("src="), page);
    }

    /** Handler with a description, which fails if it has none. */
    private record Described(@Nullable String words) implements HttpHandler {
        @Override
        public CompletionStage<HttpAnswer> handle(HttpRequest request) {
            return CompletableFuture.completedStage(HttpAnswer.text(200, "x"));
        }

        @Override
        public String description() {
            return Objects.requireNonNull(words);
        }
    }

    @Test
    void followsRegistrationsOfServices() {
        HttpHandler first = request -> stage(HttpAnswer.text(200, "first"));
        HttpHandler second = request -> stage(HttpAnswer.text(200, "second"));
        Map<String, Object> one = Map.of(HttpHandler.PREFIX, "/a", "service.id", 1L);
        Map<String, Object> two = Map.of(HttpHandler.PREFIX, "/a", "service.id", 2L, "service.ranking", 10);
        talks.whiteboard.bind(first, one);
        talks.whiteboard.bind(second, two);
        assertEquals("second", EmbeddedHttpLane.body(talks.get("/a")));
        talks.whiteboard.change(second, Map.of(HttpHandler.PREFIX, "/b", "service.id", 2L));
        assertEquals("first", EmbeddedHttpLane.body(talks.get("/a")));
        assertEquals("second", EmbeddedHttpLane.body(talks.get("/b")));
        talks.whiteboard.unbind(second, Map.of("service.id", 2L));
        assertEquals(404, EmbeddedHttpLane.status(talks.get("/b")));
        talks.whiteboard.bind(second, Map.of(HttpHandler.PREFIX, "not a path", "service.id", 3L));
        talks.whiteboard.unbind(second, Map.of("service.id", 3L));
        assertEquals("first", EmbeddedHttpLane.body(talks.get("/a")));
    }

    @Test
    void keepsSecretsOutOfItsLog() throws RequestRefused {
        HttpExchange exchange = new HttpExchange(7, 0);
        io.netty.handler.codec.http.HttpRequest message =
                new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/a?token=abc&b=c%0Ad");
        message.headers().set("Host", "localhost");
        exchange.read(RequestHead.of(message));
        exchange.answer(200);
        exchange.sent(12);
        assertEquals(
                "#7 GET /a?token=(hidden)&b=c?d 200 12 bytes 5 us from 10.0.0.1:5",
                AccessLog.line(exchange, "10.0.0.1:5", 5_000));
    }

    @Test
    void reportsItsConnections() {
        talks.lane.serve("/", request -> new CompletableFuture<>());
        EmbeddedChannel channel = talks.connect();
        talks.say(channel, EmbeddedHttpLane.request("GET", "/"));
        assertEquals(1, talks.lane.peers().size());
        assertEquals(1, talks.lane.peers().get(0).asksUnderWay());
        assertTrue(channel.close().isSuccess());
        channel.runPendingTasks();
        assertEquals(List.of(), talks.lane.peers());
        assertEquals(1, talks.lane.counts().requests());
    }

    private HttpHandler remember(HttpAnswer answer) {
        return request -> {
            seen.add(request);
            return stage(answer);
        };
    }

    private static CompletionStage<HttpAnswer> stage(HttpAnswer answer) {
        return CompletableFuture.completedStage(answer);
    }

    private static CompletionStage<HttpAnswer> nothing() {
        return CompletableFuture.completedStage(null);
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
    }
}
