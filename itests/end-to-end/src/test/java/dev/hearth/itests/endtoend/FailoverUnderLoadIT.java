package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills masters while 20 applications run on their cluster and submissions arrive, 10 a second: drills 1 and 9. What was
 * acknowledged is kept, nothing that runs ends or runs again, and new work is placed soon. Runs with {@code -Pcrash} and prints
 * its figures; {@code SessionsTest} simulates the same in each build.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(900)
class FailoverUnderLoadIT {
    private static final int MASTERS = 3;
    private static final int ROUNDS = Math.max(1, Integer.getInteger("hearth.crash.kills", 20) / 20);
    private static final int CORES = 24; // of each of two workers
    private static final int IN_CLUSTER_MODE = 5;
    private static final int IN_CLIENT_MODE = 10;
    private static final int DYNAMIC = 5;
    private static final int SUBMISSIONS_PER_SECOND = 10;
    private static final int LINES_MAX = 2; // one, and one repetition
    private static final Duration BOUND = Duration.ofMinutes(3);

    @TempDir
    Path scratch;

    private final Set<Long> daemons = new HashSet<>();
    private Installation installation;
    private ZooKeeperProcess server;
    private MasterGroup masters;
    private Launched left;
    private Launched right;

    @BeforeEach
    void unpack() throws Exception {
        installation = Installation.in(scratch);
    }

    @AfterEach
    void stop() {
        left.close();
        right.close();
        masters.close();
        if (server != null) {
            server.close();
        }
    }

    private void startWorkers() throws Exception {
        left = masters.worker(masters.url(), "left", CORES);
        right = masters.worker(masters.url(), "right", CORES);
        daemons.add(left.pid());
        daemons.add(right.pid());
        for (int i = 0; i < masters.size(); i++) {
            daemons.add(masters.process(i).pid());
        }
    }

    @Test
    void aMasterThatIsKilledAndStartedAgainLosesNothing() throws Exception {
        masters = MasterGroup.start(installation, 1, number -> MasterGroup.IN_FILES);
        startWorkers();
        try (GatedApplications applications = GatedApplications.start(
                        installation, masters.url(), IN_CLUSTER_MODE, IN_CLIENT_MODE, DYNAMIC, daemons);
                SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            ledger.begin(SUBMISSIONS_PER_SECOND);
            ledger.awaitMore(30);
            long killed = System.nanoTime();
            masters.process(0).kill();
            masters.restart(0);
            requireNewWork("files: ", ledger, killed);
            requireNothingLost(applications, ledger);
            assertTrue(applications.repetitionsOfALine() <= LINES_MAX, applications::stories);
        }
    }

    @Test
    void anotherMasterLeadsAndLosesNothing() throws Exception {
        startSharing();
        try (GatedApplications applications = GatedApplications.start(
                        installation, masters.url(), IN_CLUSTER_MODE, IN_CLIENT_MODE, DYNAMIC, daemons);
                SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            ledger.begin(SUBMISSIONS_PER_SECOND);
            ledger.awaitMore(30);
            int first = masters.awaitLeader();
            long killed = System.nanoTime();
            masters.process(first).kill();
            masters.awaitLeaderBut(first);
            print("ZooKeeper: another leads", killed);
            requireNewWork("ZooKeeper: ", ledger, killed);
            requireNothingLost(applications, ledger);
            assertTrue(applications.repetitionsOfALine() <= LINES_MAX, applications::stories);
        }
    }

    @Test
    void eachMasterIsKilledInTurnAndNothingIsLost() throws Exception {
        startSharing();
        try (GatedApplications applications = GatedApplications.start(installation, masters.url(), 2, 3, 2, daemons);
                SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            ledger.begin(SUBMISSIONS_PER_SECOND);
            long begun = System.nanoTime();
            for (int round = 0; round < ROUNDS; round++) {
                for (int i = 0; i < MASTERS; i++) {
                    ledger.awaitMore(SUBMISSIONS_PER_SECOND);
                    masters.process(i).kill();
                    masters.restart(i);
                    masters.awaitLeader();
                }
                applications.requireUntouched();
            }
            print(ROUNDS * MASTERS + " masters killed", begun);
            requireNewWork("after " + ROUNDS + " rounds: ", ledger, System.nanoTime());
            requireNothingLost(applications, ledger);
        }
    }

    private void startSharing() throws Exception {
        server = ZooKeeperProcess.in(scratch);
        masters = MasterGroup.start(installation, MASTERS, number -> MasterGroup.inZooKeeper(server.port()));
        startWorkers();
    }

    /** Submits a driver and waits until it has run. */
    private static void requireNewWork(String what, SubmissionLedger ledger, long since) throws Exception {
        String id = ledger.submit("new", true);
        print(what + "a submission is acknowledged", since);
        ledger.awaitState(id, "RUNNING|FINISHED");
        print(what + "its driver is placed", since);
        ledger.awaitState(id, "FINISHED");
        print(what + "its driver has run", since);
    }

    private void requireNothingLost(GatedApplications applications, SubmissionLedger ledger) throws Exception {
        ledger.awaitMore(SUBMISSIONS_PER_SECOND);
        applications.requireUntouched();
        ledger.end();
        ledger.requireKept();
        applications.requireUntouched();
        System.out.println(ledger.size() + " submissions acknowledged and kept, " + ledger.repetitions()
                + " requests repeated, " + applications.processes() + " processes of applications untouched");
        applications.finish();
        Eventually.until(
                "executors that have ended",
                () -> installation.processes().stream().allMatch(process -> isDaemon(process)),
                BOUND,
                () -> installation.processes().toString());
        System.out.println(applications.repetitionsOfALine() + " times at most the same line of a submission");
    }

    private boolean isDaemon(ProcessHandle process) {
        for (int i = 0; i < masters.size(); i++) {
            if (masters.process(i).pid() == process.pid()) {
                return true;
            }
        }
        return daemons.contains(process.pid());
    }

    private static void print(String what, long since) {
        System.out.println(
                what + " after " + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }
}
