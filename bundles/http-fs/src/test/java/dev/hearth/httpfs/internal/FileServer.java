package dev.hearth.httpfs.internal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** HTTP server on this machine with files in memory, with tags and ranges. Its answers can be replaced. */
final class FileServer implements AutoCloseable {
    /** One line for each request: method, path, range, condition and user. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    final AtomicLong bodyBytes = new AtomicLong();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, byte[]> files = new ConcurrentHashMap<>();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** Answer to a request in place of the file. */
    interface Answer {
        void write(HttpExchange exchange) throws IOException;
    }

    FileServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    String url(String path) {
        return "http://127.0.0.1:" + port() + path;
    }

    void put(String path, byte[] content) {
        files.put(path, content);
    }

    void answer(String path, Answer answer) {
        answers.put(path, answer);
    }

    /** The normal answer to a request for a file. */
    void send(HttpExchange exchange, long bytesMax) throws IOException {
        byte[] content = files.get(exchange.getRequestURI().getPath());
        if (content == null) {
            exchange.sendResponseHeaders(404, -1);
            return;
        }
        String tag = tag(content);
        exchange.getResponseHeaders().set("ETag", tag);
        if (tag.equals(exchange.getRequestHeaders().getFirst("If-None-Match"))) {
            exchange.sendResponseHeaders(304, -1);
            return;
        }
        String range = exchange.getRequestHeaders().getFirst("Range");
        String ifRange = exchange.getRequestHeaders().getFirst("If-Range");
        boolean partial = range != null && (ifRange == null || ifRange.equals(tag));
        int from = partial ? Integer.parseInt(range.replaceAll("\\D", "")) : 0;
        if (from >= content.length && partial) {
            exchange.sendResponseHeaders(416, -1);
            return;
        }
        if (partial) {
            exchange.getResponseHeaders()
                    .set("Content-Range", "bytes " + from + "-" + (content.length - 1) + "/" + content.length);
        }
        int length = content.length - from;
        exchange.sendResponseHeaders(partial ? 206 : 200, length);
        int sent = (int) Math.min(length, bytesMax);
        bodyBytes.addAndGet(sent); // before the client has them
        exchange.getResponseBody().write(content, from, sent);
        exchange.getResponseBody().flush();
        if (sent < length) {
            throw new IOException("cut by the test");
        }
    }

    /** Closes the connection after {@code bytes} of each answer, {@code times} times; then sends everything. */
    Answer cut(int times, int bytes) {
        int[] left = {times};
        return exchange -> send(exchange, left[0]-- > 0 ? bytes : Long.MAX_VALUE);
    }

    /** Sends one of 100 bytes, counts {@code asked} down, and then nothing until this server is closed. */
    Answer silentAfterAByte(CountDownLatch asked) {
        return exchange -> {
            exchange.sendResponseHeaders(200, 100);
            exchange.getResponseBody().write(1);
            exchange.getResponseBody().flush();
            asked.countDown();
            try {
                closed.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        };
    }

    static Answer status(int status) {
        return exchange -> exchange.sendResponseHeaders(status, -1);
    }

    static Answer redirect(String target) {
        return exchange -> {
            exchange.getResponseHeaders().add("Location", target);
            exchange.sendResponseHeaders(302, -1);
        };
    }

    static String tag(byte[] content) {
        return "\"" + java.util.Arrays.hashCode(content) + "\"";
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            StringBuilder line = new StringBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            for (String header : List.of("Range", "If-None-Match", "Authorization")) {
                String value = exchange.getRequestHeaders().getFirst(header);
                line.append(value == null ? "" : " " + value);
            }
            requests.add(line.toString());
            Answer answer = answers.get(exchange.getRequestURI().getPath());
            if (answer == null) {
                send(exchange, Long.MAX_VALUE);
            } else {
                answer.write(exchange);
            }
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
