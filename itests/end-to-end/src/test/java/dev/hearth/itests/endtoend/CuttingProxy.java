package dev.hearth.itests.endtoend;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy of the lab's API server for one client, which kills the client at one of its requests: before the server gets it,
 * or once the server has answered. It can also make all objects years older.
 */
final class CuttingProxy implements AutoCloseable {
    private static final int REQUESTS_MAX = 16; // at once, watches among them
    private static final List<String> HEADERS = List.of("Accept", "Content-Type");

    private final LabApi api;
    private final HttpServer http;
    private final ExecutorService threads = Executors.newFixedThreadPool(REQUESTS_MAX);
    private final AtomicInteger requests = new AtomicInteger();
    private final CompletableFuture<Launched> client = new CompletableFuture<>();
    private final int cutAt;
    private final boolean afterAnswer;
    private final boolean ages;

    private CuttingProxy(LabApi api, int cutAt, boolean afterAnswer, boolean ages) throws IOException {
        this.api = api;
        this.cutAt = cutAt;
        this.afterAnswer = afterAnswer;
        this.ages = ages;
        this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(threads);
        http.createContext("/", this::pass);
        http.start();
    }

    /** Proxy that kills its client at request number {@code cutAt}, before or after the server has dealt with it. */
    static CuttingProxy cutting(LabApi api, int cutAt, boolean afterAnswer) throws IOException {
        return new CuttingProxy(api, cutAt, afterAnswer, false);
    }

    /** Proxy whose answers make all objects years older, except those of watches. */
    static CuttingProxy ageing(LabApi api) throws IOException {
        return new CuttingProxy(api, 0, false, true);
    }

    String url() {
        return "http://127.0.0.1:" + http.getAddress().getPort();
    }

    /** Names the process to kill. */
    void client(Launched launched) {
        client.complete(launched);
    }

    /** Number of requests so far. */
    int requests() {
        return requests.get();
    }

    private void pass(HttpExchange exchange) throws IOException {
        boolean cut = requests.incrementAndGet() == cutAt;
        try {
            if (cut && !afterAnswer) {
                client.join().kill();
                return;
            }
            byte[] body = exchange.getRequestBody().readAllBytes();
            HttpResponse<InputStream> answer = api.pass(
                    exchange.getRequestMethod(), exchange.getRequestURI().toString(), headers(exchange), body);
            if (cut) {
                client.join().kill();
                return;
            }
            answer.headers()
                    .firstValue("Content-Type")
                    .ifPresent(type -> exchange.getResponseHeaders().set("Content-Type", type));
            exchange.sendResponseHeaders(answer.statusCode(), 0);
            copy(answer.body(), exchange);
        } catch (IOException gone) {
            if (!client.isDone() || client.join().isAlive()) {
                throw gone;
            }
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        } finally {
            exchange.close();
        }
    }

    private void copy(InputStream in, HttpExchange exchange) throws IOException {
        try (in;
                OutputStream out = exchange.getResponseBody()) {
            if (ages && !exchange.getRequestURI().toString().contains("watch=")) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                out.write(text.replaceAll("(\"creationTimestamp\":\")\\d{4}", "$12020")
                        .getBytes(StandardCharsets.UTF_8));
                return;
            }
            byte[] buffer = new byte[8192];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        }
    }

    private static String[] headers(HttpExchange exchange) {
        return HEADERS.stream()
                .filter(exchange.getRequestHeaders()::containsKey)
                .flatMap(name -> List.of(name, exchange.getRequestHeaders().getFirst(name)).stream())
                .toArray(String[]::new);
    }

    @Override
    public void close() {
        http.stop(0);
        threads.shutdownNow();
    }
}
