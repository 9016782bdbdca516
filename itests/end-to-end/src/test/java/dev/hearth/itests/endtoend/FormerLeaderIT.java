package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Suspends a leader for longer than its session of ZooKeeper lasts: drill 2. Requests that arrive at it meanwhile have no effect
 * when it goes on, and it stands by. Runs with {@code -Pcrash} and prints its figures; {@code SessionsTest} simulates terms.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(900)
class FormerLeaderIT {
    private static final int MASTERS = 3;
    private static final int REQUESTS = 40;
    private static final Pattern ID = Pattern.compile("\"id\":\"(driver-\\d{14}-\\d{4,})\"");

    @TempDir
    Path scratch;

    private Installation installation;
    private ZooKeeperProcess server;
    private MasterGroup masters;
    private Launched worker;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        server = ZooKeeperProcess.in(scratch);
        masters = MasterGroup.start(installation, MASTERS, number -> MasterGroup.inZooKeeper(server.port()));
        worker = masters.worker(masters.url(), "work", 8);
    }

    @AfterEach
    void stop() {
        worker.close();
        masters.close();
        server.close();
    }

    private Set<Long> daemons() {
        Set<Long> pids = new HashSet<>(Set.of(worker.pid()));
        for (int i = 0; i < MASTERS; i++) {
            pids.add(masters.process(i).pid());
        }
        return pids;
    }

    private Set<Long> processes() {
        return installation.processes().stream().map(ProcessHandle::pid).collect(Collectors.toSet());
    }

    @Test
    void requestsToALeaderThatWasSuspendedHaveNoEffect() throws Exception {
        try (GatedApplications applications = GatedApplications.start(installation, masters.url(), 1, 1, 1, daemons());
                SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            List<String> ids = new ArrayList<>();
            ids.add(ledger.submit("waits-before", false));
            int first = masters.awaitLeader();
            String driver = runningDriver(first, ledger);
            Set<Long> before = processes();
            List<LateRequest> late = connections(first, REQUESTS / 2);
            try {
                Processes.signal("STOP", masters.process(first).pid());
                long stopped = System.nanoTime();
                try {
                    masters.awaitLeaderBut(first);
                    print("leader suspended: another leads", stopped);
                    ids.add(ledger.submit("waits-for-the-other", false));
                    late.addAll(connections(first, REQUESTS / 2));
                    send(late, driver);
                } finally {
                    Processes.signal("CONT", masters.process(first).pid());
                }
                long continued = System.nanoTime();
                masters.awaitStandby(first);
                print("leader goes on: it stands by", continued);
                requireRefused(late);
            } finally {
                for (LateRequest each : late) {
                    each.close();
                }
            }
            ids.add(ledger.submit("waits-after", false));
            ids.add(ledger.submit("runs-after", true));
            ledger.awaitState(ids.get(ids.size() - 1), "FINISHED");
            applications.requireUntouched();
            assertEquals(before, processes(), "nothing was started");
            GivenIds.requireInOrder(ids);
            assertTrue(masters.process(first).isAlive());
            ledger.requireKept();
            applications.finish();
        }
    }

    private String runningDriver(int master, SubmissionLedger ledger) throws IOException {
        String page = masters.page(master, "/json/activedrivers");
        Matcher ids = ID.matcher(page);
        while (ids.find()) {
            if (ledger.state(ids.group(1)).equals("RUNNING")) {
                return ids.group(1);
            }
        }
        throw new AssertionError("no driver runs: " + page);
    }

    private List<LateRequest> connections(int master, int count) throws IOException {
        List<LateRequest> connected = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            connected.add(new LateRequest(masters.port(master)));
        }
        return connected;
    }

    /** Sends requests for new drivers, which could start at once, and some to kill {@code driver}. */
    private void send(List<LateRequest> late, String driver) throws IOException {
        for (int i = 0; i < late.size(); i++) {
            if (i % 4 == 0) {
                late.get(i).post("/v1/submissions/kill/" + driver, "kill-" + i, "");
            } else {
                late.get(i).post("/v1/submissions/create", scratch.getFileName() + "late-" + i, """
                        {"action": "CreateSubmissionRequest", "clientSparkVersion": "4.2.0", "appResource": "%s",
                         "mainClass": "dev.hearth.itests.endtoend.app.AppendsLine", "appArgs": ["%s", "late"],
                         "environmentVariables": {}, "sparkProperties": {"spark.master": "spark://h:7077",
                           "spark.app.name": "late", "spark.driver.memory": "64m"}}
                        """.formatted(
                                installation.applications().toUri(), scratch.resolve("late-lines")));
            }
        }
    }

    private static void requireRefused(List<LateRequest> late) {
        int closed = 0;
        for (LateRequest each : late) {
            String answer = each.answer();
            assertFalse(answer.contains("\"success\" : true"), () -> "obeyed: " + answer);
            closed += answer.isEmpty() ? 1 : 0;
        }
        System.out.println(late.size() + " requests to the suspended leader, none of them obeyed; " + closed
                + " connections closed without an answer");
    }

    private static void print(String what, long since) {
        System.out.println(
                what + " after " + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }
}
