package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Masters whose clocks are an hour fast or slow, and step while they lead: drill 8. Ids stay in order, no worker is lost, and
 * nothing is forgotten early. The clock of the process is libfaketime's (Debian: libfaketime). Runs with {@code -Pcrash}; {@code
 * MasterRecoveryTest} has the same for the state machine.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@EnabledIf("hasLibrary")
@Timeout(420)
class ClockStepsIT {
    private static final Path LIBRARY = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final Duration WORKER_TIMEOUT = Duration.ofSeconds(4);
    private static final long HOUR = Duration.ofHours(1).toMillis();
    private static final long SLACK = Duration.ofMinutes(5).toMillis();
    private static final Pattern HEARTBEAT = Pattern.compile("\"lastheartbeat\":(\\d+)");

    @TempDir
    Path scratch;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Launched> masters = new ArrayList<>();
    private Installation installation;
    private int port;
    private Path clock;
    private Launched worker;

    static boolean hasLibrary() {
        return Files.exists(LIBRARY);
    }

    @AfterEach
    void stop() {
        if (worker != null) {
            worker.close();
        }
        masters.forEach(Launched::close);
    }

    /** Starts a master whose clock is {@code hours} ahead, after killing the one before. */
    private void startMaster(int hours) throws IOException {
        if (!masters.isEmpty()) {
            masters.get(masters.size() - 1).kill();
        }
        set(hours);
        masters.add(installation
                .daemon(
                        Map.of(
                                "LD_PRELOAD", LIBRARY.toString(),
                                "FAKETIME_TIMESTAMP_FILE", clock.toString(),
                                "FAKETIME_CACHE_DURATION", "1",
                                "FAKETIME_FORCE_MONOTONIC_FIX", "0", // with it, waits of Java end too early
                                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                                "DONT_FAKE_MONOTONIC", "1"),
                        "master",
                        "--port",
                        String.valueOf(port),
                        "--conf",
                        "hearth.deploy.recoveryMode=FILESYSTEM",
                        "--conf",
                        "hearth.deploy.retainedDrivers=0",
                        "--conf",
                        "hearth.worker.timeout=" + WORKER_TIMEOUT.toSeconds() + "s",
                        "--conf",
                        "hearth.master.dir=" + scratch.resolve("master"))
                .process());
    }

    private void set(int hours) throws IOException {
        Files.writeString(clock, (hours < 0 ? "" : "+") + hours + "h\n");
    }

    private String page() {
        try {
            URI uri = URI.create("http://127.0.0.1:" + port + "/json/");
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException away) {
            return "";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "";
        }
    }

    /** Waits until the worker is there, and the clock of the master shows what it is to show. */
    private void awaitClock(int hours) {
        Eventually.until(
                "a clock " + hours + " hours ahead",
                () -> {
                    Matcher heard = HEARTBEAT.matcher(page());
                    return heard.find()
                            && Math.abs(Long.parseLong(heard.group(1)) - System.currentTimeMillis() - hours * HOUR)
                                    < SLACK;
                },
                BOUND,
                this::page);
    }

    /** Waits for longer than a worker may be silent. */
    private void awaitHeartbeats() {
        long from = System.nanoTime();
        Eventually.until(
                "heartbeats",
                () -> {
                    assertTrue(page().contains("\"aliveworkers\":1"), this::page);
                    return System.nanoTime() - from > 2 * WORKER_TIMEOUT.toNanos();
                },
                BOUND);
    }

    @Test
    void keepIdsInOrderAndForgetNothing() throws Exception {
        installation = Installation.in(scratch);
        port = FreePort.draw();
        clock = scratch.resolve("clock");
        startMaster(0);
        String url = "hearth://127.0.0.1:" + port;
        worker = installation
                .daemon(
                        "worker",
                        "--cores",
                        "8",
                        "--memory",
                        "8g",
                        "--work-dir",
                        scratch.resolve("work").toString(),
                        url)
                .process();
        List<String> ids = new ArrayList<>();
        try (GatedApplications applications = GatedApplications.start(
                        installation,
                        url,
                        0,
                        2,
                        0,
                        Set.of(worker.pid(), masters.get(0).pid()));
                SubmissionLedger ledger = new SubmissionLedger(installation, List.of(port))) {
            for (int hours : List.of(0, 1, -1, 1, 0)) {
                startMaster(hours);
                awaitClock(hours);
                submit(ledger, ids, "of-master-" + masters.size());
                int step = hours > 0 ? -1 : 1;
                set(step);
                awaitClock(step);
                submit(ledger, ids, "after-step-" + masters.size());
                awaitHeartbeats();
                applications.requireUntouched();
            }
            GivenIds.requireInOrder(ids);
            ledger.requireKept();
            masters.forEach(
                    master -> assertFalse(master.errors().contains("is lost"), () -> "a worker: " + master.errors()));
            applications.requireUntouched();
            applications.finish();
        }
        System.out.println("clocks an hour fast and slow: " + ids.size() + " ids in order over " + masters.size()
                + " masters, all ended drivers known, no worker lost");
        assertEquals(6, masters.size());
    }

    /** Submits a driver that runs and ends, and one that waits. */
    private static void submit(SubmissionLedger ledger, List<String> ids, String key) throws IOException {
        ids.add(ledger.submit("runs-" + key, true));
        ledger.awaitState(ids.get(ids.size() - 1), "FINISHED");
        ids.add(ledger.submit("waits-" + key, false));
    }
}
