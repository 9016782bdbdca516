package dev.hearth.packages.internal;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Server of a repository on disk by HTTP, with answers that a test may replace. */
final class HttpRepository implements AutoCloseable {
    /** Requests so far: method, path, and user and password if they came with it. */
    final List<String> requests = new CopyOnWriteArrayList<>();

    private final DiskRepository files;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final Map<String, Answer> answers = new ConcurrentHashMap<>();

    /** Answer to a request in place of the file. */
    interface Answer {
        void write(HttpExchange exchange) throws IOException;
    }

    HttpRepository(DiskRepository files) throws IOException {
        this.files = files;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    String url() {
        return "http://" + authority() + "/repo";
    }

    String authority() {
        return "127.0.0.1:" + server.getAddress().getPort();
    }

    /** Replaces the answers to all requests for paths that end with {@code suffix}. */
    void answer(String suffix, Answer answer) {
        answers.put(suffix, answer);
    }

    /** Answers with a status and no body. */
    static Answer status(int status) {
        return exchange -> exchange.sendResponseHeaders(status, -1);
    }

    /** Answers with the address of another place. */
    static Answer redirect(String target) {
        return exchange -> {
            exchange.getResponseHeaders().add("Location", target);
            exchange.sendResponseHeaders(302, -1);
        };
    }

    /** Sends half of the file and closes the connection, {@code times} times; then the whole file. */
    Answer cut(int times) {
        int[] left = {times};
        return exchange -> {
            byte[] content = Files.readAllBytes(file(exchange));
            if (left[0]-- > 0) {
                exchange.sendResponseHeaders(200, content.length);
                exchange.getResponseBody().write(content, 0, content.length / 2);
                exchange.getResponseBody().flush();
                throw new IOException("cut by the test");
            }
            send(exchange, content);
        };
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String user = exchange.getRequestHeaders().getFirst("Authorization");
            requests.add(exchange.getRequestMethod() + " " + path + (user == null ? "" : " " + user));
            for (Map.Entry<String, Answer> each : answers.entrySet()) {
                if (path.endsWith(each.getKey())) {
                    each.getValue().write(exchange);
                    return;
                }
            }
            Path file = file(exchange);
            if (Files.isRegularFile(file)) {
                send(exchange, Files.readAllBytes(file));
            } else {
                exchange.sendResponseHeaders(404, -1);
            }
        }
    }

    private Path file(HttpExchange exchange) {
        return files.root().resolve(exchange.getRequestURI().getPath().replaceFirst("^/repo/", ""));
    }

    private static void send(HttpExchange exchange, byte[] content) throws IOException {
        exchange.sendResponseHeaders(200, content.length);
        exchange.getResponseBody().write(content);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
