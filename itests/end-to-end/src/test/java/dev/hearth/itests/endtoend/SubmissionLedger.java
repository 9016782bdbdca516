package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What masters have acknowledged. Submits by HTTP from several threads, each time with a key of its own, and repeats a request at
 * the next master until one acknowledges it. Most of its drivers wait, as they need more cores than any worker has; every
 * {@value #RUNS_EACH}th runs and appends its key to a file, so that the test knows how often it was started.
 */
final class SubmissionLedger implements AutoCloseable {
    private static final int RUNS_EACH = 40;
    private static final int TOO_MANY_CORES = 5_000;
    private static final int CLIENTS = 16;
    private static final int END_SECONDS_MAX = 180;
    private static final Duration BOUND = Duration.ofMinutes(3);
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(5);
    private static final Pattern ID = Pattern.compile("\"submissionId\" : \"(driver-\\d{14}-\\d{4,})\"");
    private static final Pattern STATE = Pattern.compile("\"driverState\" : \"(\\w+)\"");

    private final Path scratch;
    private final Path applications;
    private final List<Integer> ports;
    private final Path lines;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> acknowledged = new ConcurrentSkipListMap<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger repeated = new AtomicInteger();
    private Optional<Future<?>> submissions = Optional.empty(); // those to come
    private volatile String lastAnswer = "";
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    private final ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);

    /** Ledger of the masters at these ports of this machine. */
    SubmissionLedger(Installation installation, List<Integer> ports) {
        this.scratch = installation.scratch();
        this.applications = installation.applications();
        this.ports = List.copyOf(ports);
        this.lines = scratch.resolve("lines-of-drivers");
    }

    static SubmissionLedger of(Installation installation, MasterGroup masters) {
        return new SubmissionLedger(
                installation,
                IntStream.range(0, masters.size()).map(masters::port).boxed().toList());
    }

    /** Begins to submit {@code perSecond} times a second. */
    void begin(int perSecond) {
        submissions = Optional.of(clock.scheduleAtFixedRate(
                () -> clients.execute(this::submitNext), 0, 1_000_000 / perSecond, TimeUnit.MICROSECONDS));
    }

    private void submitNext() {
        int number = begun.getAndIncrement();
        boolean runs = number % RUNS_EACH == 0;
        try {
            submit((runs ? "runs-" : "waits-") + number, runs);
        } catch (IOException | RuntimeException | AssertionError failure) {
            failures.add(failure);
        }
    }

    /** Submits until a master has acknowledged it, and returns the id of the driver. */
    String submit(String key, boolean runs) throws IOException {
        int[] tries = {0};
        Eventually.until(
                "a master that acknowledges " + key,
                () -> {
                    Optional<String> id = create(ports.get(tries[0]++ % ports.size()), key, runs);
                    id.ifPresent(given -> assertEquals(
                            given, acknowledged.computeIfAbsent(key, unknown -> given), "another id for " + key));
                    return id.isPresent();
                },
                BOUND,
                () -> lastAnswer);
        repeated.addAndGet(tries[0] - 1);
        return acknowledged.get(key);
    }

    private Optional<String> create(int port, String key, boolean runs) throws IOException {
        String body = """
                {"action": "CreateSubmissionRequest", "clientSparkVersion": "4.2.0", "appResource": "%s",
                 "mainClass": "dev.hearth.itests.endtoend.app.AppendsLine", "appArgs": ["%s", "%s"],
                 "environmentVariables": {},
                 "sparkProperties": {"spark.master": "spark://h:7077", "spark.app.name": "%s",
                   "spark.driver.memory": "64m", "spark.driver.cores": "%d"}}
                """.formatted(applications.toUri(), lines, key, key, runs ? 1 : TOO_MANY_CORES);
        String answer = send(
                port,
                "create",
                request -> request.header("Idempotency-Key", scratch.getFileName() + key)
                        .header("Content-Type", "application/json;charset=UTF-8")
                        .POST(HttpRequest.BodyPublishers.ofString(body)));
        lastAnswer = answer;
        return answer.contains("\"success\" : true") ? first(ID, answer) : Optional.empty();
    }

    /** How a request differs from another. */
    private interface Form {
        HttpRequest.Builder of(HttpRequest.Builder request);
    }

    /** The answer of a master; empty if it is away. */
    private String send(int port, String path, Form form) throws IOException {
        URI uri = URI.create("http://127.0.0.1:" + port + "/v1/submissions/" + path);
        try {
            return http.send(
                            form.of(HttpRequest.newBuilder(uri).timeout(ANSWERS_WITHIN))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException away) {
            return "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException("submission", stopped);
        }
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    int size() {
        return acknowledged.size();
    }

    /** Number of requests that were repeated because a master was away, did not lead or did not answer in time. */
    int repetitions() {
        return repeated.get();
    }

    /** Waits until {@code count} submissions more are acknowledged. */
    void awaitMore(int count) {
        int before = size();
        Eventually.until(
                count + " submissions more than " + before,
                () -> size() >= before + count,
                BOUND,
                () -> size() + ": " + failures);
    }

    /** The state of a driver at the master that leads; empty if none answers. */
    String state(String id) throws IOException {
        for (int port : ports) {
            Optional<String> state =
                    first(STATE, send(port, "status/" + id + "?details=true", HttpRequest.Builder::GET));
            if (state.isPresent()) {
                return state.get();
            }
        }
        return "";
    }

    void awaitState(String id, String states) throws IOException {
        List<String> wanted = List.of(states.split("\\|"));
        Eventually.until(
                id + " is " + states, () -> wanted.contains(state(id)), BOUND, () -> id + " is something else");
    }

    /** Submits no more, and waits until all that was begun is acknowledged. */
    void end() throws InterruptedException {
        submissions.ifPresent(each -> each.cancel(false));
        clock.shutdownNow();
        clients.shutdown();
        assertTrue(clients.awaitTermination(END_SECONDS_MAX, TimeUnit.SECONDS), "submissions that get no answer");
        assertEquals(List.of(), failures);
        assertEquals(
                begun.get(),
                acknowledged.keySet().stream()
                        .filter(key -> key.matches(".*-\\d+"))
                        .count());
    }

    /** Requires that each acknowledged submission is known by its own id, and those that run have run once. */
    void requireKept() throws IOException {
        assertEquals(acknowledged.size(), new HashSet<>(acknowledged.values()).size(), "an id was given twice");
        List<String> ran = new ArrayList<>();
        for (Map.Entry<String, String> each : acknowledged.entrySet()) {
            boolean runs = !each.getKey().startsWith("waits-");
            awaitState(each.getValue(), runs ? "FINISHED" : "SUBMITTED");
            assertEquals(each.getValue(), submit(each.getKey(), runs), "the id of a repeated request");
            if (runs) {
                ran.add(each.getKey());
            }
        }
        List<String> found = new ArrayList<>(Files.readAllLines(lines));
        ran.sort(null);
        found.sort(null);
        assertEquals(ran, found, "drivers that have run");
    }

    @Override
    public void close() {
        clock.shutdownNow();
        clients.shutdownNow();
    }
}
