package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A process that submits for others, and that is killed and started again while clients submit through it. The clients
 * repeat a request that got no answer, with the same id.
 */
final class KilledServe implements AutoCloseable {
    private static final int CLIENTS = 4;
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Pattern ID = Pattern.compile("\"submissionId\" : \"(driver-[0-9-]+)\"");

    private final Installation installation;
    private final String master;
    private final int port;
    private final int kills;
    private Launched serve;

    KilledServe(Installation installation, String master, int port, int kills) throws IOException {
        this.installation = installation;
        this.master = master;
        this.port = port;
        this.kills = kills;
        this.serve = start();
    }

    private Launched start() throws IOException {
        return installation
                .daemon("serve", "--conf", "hearth.master=" + master, "--conf", "hearth.shell.port=" + port)
                .process();
    }

    /** Submits {@code bodies} number 0 to {@code count - 1}; returns the ids of the drivers. */
    List<String> submitAll(int count, IntFunction<String> bodies, HttpClient client) throws Exception {
        ConcurrentSkipListMap<Integer, String> ids = new ConcurrentSkipListMap<>();
        AtomicInteger next = new AtomicInteger();
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                running.add(clients.submit(() -> {
                    for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                        ids.put(n, submit(n, bodies.apply(n), client));
                    }
                    return null;
                }));
            }
            for (int kill = 1; kill <= kills; kill++) {
                int progress = kill * count / (kills + 1);
                Eventually.until(
                        progress + " requests were sent",
                        () -> next.get() >= progress || running.stream().anyMatch(Future::isDone),
                        BOUND.multipliedBy(4));
                serve.kill();
                serve = start();
            }
            for (Future<?> done : running) {
                done.get();
            }
        } catch (ExecutionException failure) {
            throw new AssertionError("a client: " + failure.getCause(), failure.getCause());
        } finally {
            clients.shutdownNow();
        }
        return List.copyOf(ids.values());
    }

    private String submit(int n, String body, HttpClient client) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/submissions/create"))
                .header("Idempotency-Key", "request-" + n)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        AtomicReference<String> last = new AtomicReference<>("");
        Eventually.until(
                "request " + n + " gets an id",
                () -> {
                    last.set(answer(client, request));
                    return ID.matcher(last.get()).find();
                },
                BOUND,
                last::get);
        Matcher id = ID.matcher(last.get());
        assertTrue(id.find());
        return id.group(1);
    }

    private static String answer(HttpClient client, HttpRequest request) throws InterruptedException {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        } catch (IOException killed) {
            return killed.toString();
        }
    }

    @Override
    public void close() {
        serve.close();
    }
}
