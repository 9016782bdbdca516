package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.hearth.spi.time.Ticker;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Requests with short answers to one API server, each on a thread and a connection of its own. Beyond {@link #PROMPT}
 * connections, a request opens another only after it has waited for {@link #WAIT_MAX}; connections are kept for {@link
 * #IDLE_MAX}. Sends each request once, unless it changes nothing and a kept connection has ended. Thread-safe.
 */
final class RequestConnections implements AutoCloseable {
    /** Time for which a connection without requests is kept. */
    static final Duration IDLE_MAX = Duration.ofSeconds(10);

    /** Number of connections that are opened at once; a server answers no sooner if more of them share its processors. */
    static final int PROMPT = 8;

    /** Time for which a request waits for one of {@link #PROMPT} connections or more, none of which is being opened. */
    static final Duration WAIT_MAX = Duration.ofMillis(100);

    private static final int HTTPS_PORT = 443;
    private static final int HTTP_PORT = 80;
    private static final int DELETE = 0x7f; // the first that is no character of ASCII texts
    private static final int HEAD_BYTES = 2048;

    private final ServerTarget target;
    private final Tls tls;
    private final Executor threads;
    private final Ticker ticker = Ticker.system();
    private final boolean secure;
    private final String host; // without the brackets of IPv6
    private final int port;
    private final String authority;
    private final int originLength; // of URLs
    private final Deque<RequestConnection> idle = new ArrayDeque<>(); // guarded by this, the latest first
    private final Deque<Sending> waiting = new ArrayDeque<>(); // guarded by this, the earliest first
    private int busy; // guarded by this; connections that are neither idle nor closed
    private int opening; // guarded by this; those of them on which nothing can be sent yet
    private long openedNanos = ticker.nanos(); // guarded by this; when opening changed
    private boolean watching; // guarded by this; whether openForWaiting will be called
    private boolean purging; // guarded by this
    private boolean closed; // guarded by this

    RequestConnections(ServerTarget target, Tls tls, Executor threads) {
        URI server = URI.create(target.address());
        this.target = target;
        this.tls = tls;
        this.threads = threads;
        this.secure = server.getScheme().equals("https");
        this.host = server.getHost().replaceAll("[\\[\\]]", "");
        this.port = server.getPort() > 0 ? server.getPort() : secure ? HTTPS_PORT : HTTP_PORT;
        this.authority = server.getRawAuthority();
        this.originLength = server.getScheme().length() + "://".length() + authority.length();
    }

    /** Sends a request, and answers within the time of the server's target or fails. */
    CompletableFuture<ApiResponse> send(ApiRequest request, String authorization) {
        Sending sending = new Sending(request, authorization);
        begin(sending);
        return sending.answer
                .orTimeout(target.requestTimeout().toMillis(), TimeUnit.MILLISECONDS)
                .whenComplete((response, failure) -> {
                    if (failure != null) {
                        sending.abort();
                    }
                });
    }

    /** Closes the connections that are idle, and each of the others after its request. */
    @Override
    public synchronized void close() {
        closed = true;
        idle.forEach(RequestConnection::abort);
        idle.clear();
    }

    private synchronized void begin(Sending sending) {
        RequestConnection kept = takeIdle();
        if (kept != null || busy < PROMPT) {
            busy++;
            start(sending, kept);
            return;
        }
        waiting.add(sending);
        openLater();
    }

    private void start(Sending sending, @Nullable RequestConnection kept) {
        threads.execute(() -> sending.run(kept));
    }

    private void openLater() {
        if (!watching) {
            watching = true;
            CompletableFuture.delayedExecutor(WAIT_MAX.toMillis(), TimeUnit.MILLISECONDS, threads)
                    .execute(this::openForWaiting);
        }
    }

    /** Opens connections for the requests that have waited for long although nothing was being opened. */
    private synchronized void openForWaiting() {
        watching = false;
        long due = ticker.nanos() - WAIT_MAX.toNanos();
        if (opening == 0 && openedNanos - due <= 0) {
            while (!waiting.isEmpty() && waiting.getFirst().sinceNanos - due <= 0) {
                busy++;
                start(waiting.remove(), null);
            }
        }
        if (!waiting.isEmpty()) {
            openLater();
        }
    }

    /** Ends the use of {@code connection} by a request, and begins the one that has waited for the longest time. */
    private synchronized void release(@Nullable RequestConnection connection) {
        boolean lasting = connection != null && !closed && connection.isLasting();
        Sending next = waiting.poll();
        while (next != null && next.answer.isDone()) {
            next = waiting.poll();
        }
        if (next != null) {
            start(next, lasting ? connection : null);
        } else {
            busy--;
        }
        if (connection != null && !lasting) {
            connection.abort();
        } else if (connection != null && next == null) {
            keep(connection);
        }
    }

    private synchronized void opening(int change) {
        opening += change;
        openedNanos = ticker.nanos();
    }

    private synchronized @Nullable RequestConnection takeIdle() {
        long limit = ticker.nanos() - IDLE_MAX.toNanos();
        for (RequestConnection found = idle.poll(); found != null; found = idle.poll()) {
            if (found.isFresh(limit)) {
                return found;
            }
            found.abort();
        }
        return null;
    }

    private void keep(RequestConnection connection) {
        connection.idle(ticker.nanos());
        idle.addFirst(connection);
        if (!purging) {
            purging = true;
            purgeLater();
        }
    }

    private void purgeLater() {
        CompletableFuture.delayedExecutor(IDLE_MAX.toMillis(), TimeUnit.MILLISECONDS, threads)
                .execute(this::purge);
    }

    private synchronized void purge() {
        long limit = ticker.nanos() - IDLE_MAX.toNanos();
        idle.removeIf(connection -> {
            boolean old = !connection.isFresh(limit);
            if (old) {
                connection.abort();
            }
            return old;
        });
        purging = !idle.isEmpty();
        if (purging) {
            purgeLater();
        }
    }

    private void connect(Socket raw, RequestConnection connection) throws IOException {
        InetSocketAddress next = target.proxy()
                .map(proxy -> new InetSocketAddress(proxy.getHostString(), proxy.getPort()))
                .orElseGet(() -> new InetSocketAddress(host, port));
        if (next.isUnresolved()) {
            throw new IOException(
                    "host " + next.getHostString() + ": not found (expected: a name that has an address)");
        }
        raw.setTcpNoDelay(true);
        raw.connect(next, (int) target.connectTimeout().toMillis());
        connection.open(raw);
        if (!secure) {
            return;
        }
        if (target.proxy().isPresent()) {
            connection.tunnel(authority.endsWith(":" + port) ? authority : authority + ":" + port);
        }
        String name = target.serverName().isEmpty() ? host : target.serverName();
        SSLSocket socket = (SSLSocket) tls.context().getSocketFactory().createSocket(raw, name, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        connection.open(socket);
    }

    private byte[] text(ApiRequest request, String authorization) {
        boolean whole = !secure && target.proxy().isPresent();
        StringBuilder head = new StringBuilder(HEAD_BYTES);
        String path = whole ? request.url() : request.url().substring(originLength);
        head.append(request.method()).append(' ').append(inOneLine(path, '!')).append(" HTTP/1.1");
        header(head, "Host", authority);
        header(head, "User-Agent", "hearth");
        header(head, "Accept", "application/json");
        if (!authorization.isEmpty()) {
            header(head, "Authorization", authorization);
        }
        target.headers().forEach((name, values) -> values.forEach(value -> header(head, name, value)));
        if (!request.contentType().isEmpty()) {
            header(head, "Content-Type", request.contentType());
            header(head, "Content-Length", String.valueOf(request.body().length));
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream(head.length() + 4 + request.body().length);
        text.writeBytes(head.append("\r\n\r\n").toString().getBytes(ISO_8859_1));
        text.writeBytes(request.body());
        return text.toByteArray();
    }

    private static void header(StringBuilder head, String name, String value) {
        head.append("\r\n").append(inOneLine(name, '!')).append(": ").append(inOneLine(value, ' '));
    }

    /** Refuses a text with other characters than those of ASCII from {@code first} on, such as the end of a line. */
    private static String inOneLine(String text, char first) {
        if (!text.chars().allMatch(character -> character >= first && character < DELETE)) {
            throw new IllegalArgumentException("request: characters that it cannot have (expected: ASCII in one line)");
        }
        return text;
    }

    /** One request, which waits for a connection at first and is then on a thread of its own. */
    private final class Sending {
        private final CompletableFuture<ApiResponse> answer = new CompletableFuture<>();
        private final long sinceNanos = ticker.nanos();
        private final ApiRequest request;
        private final String authorization;
        private @Nullable RequestConnection used; // guarded by this
        private boolean aborted; // guarded by this

        Sending(ApiRequest request, String authorization) {
            this.request = request;
            this.authorization = authorization;
        }

        /** Sends the request on {@code kept}, or on a new connection. */
        void run(@Nullable RequestConnection kept) {
            try {
                answer.complete(exchange(kept));
            } catch (IOException | RuntimeException failure) {
                answer.completeExceptionally(failure);
            }
        }

        private ApiResponse exchange(@Nullable RequestConnection kept) throws IOException {
            RequestConnection connection = kept;
            try {
                byte[] text = text(request, authorization);
                if (answer.isDone()) { // while it waited
                    throw new IOException("the request has ended");
                }
                if (connection != null) {
                    try {
                        return send(connection, text);
                    } catch (IOException ended) {
                        if (!request.isSafe() || connection.hasAnswered() || answer.isDone()) {
                            throw ended;
                        }
                        connection.abort();
                    }
                }
                connection = null;
                connection = open();
                return send(connection, text);
            } finally {
                release();
                RequestConnections.this.release(connection);
            }
        }

        private ApiResponse send(RequestConnection connection, byte[] text) throws IOException {
            use(connection);
            return connection.exchange(text);
        }

        private RequestConnection open() throws IOException {
            Socket raw = new Socket();
            RequestConnection opened = new RequestConnection(raw);
            use(opened);
            boolean connected = false;
            opening(1);
            try {
                connect(raw, opened);
                connected = true;
                return opened;
            } finally {
                opening(-1);
                if (!connected) {
                    opened.abort();
                }
            }
        }

        private synchronized void use(RequestConnection connection) {
            used = connection;
            if (aborted) {
                connection.abort();
            }
        }

        private synchronized void release() {
            used = null;
        }

        /** Ends the connection that the request uses now. */
        synchronized void abort() {
            aborted = true;
            if (used != null) {
                used.abort();
            }
        }
    }
}
