package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a worker while the master recovers: drill 11. Its drivers are decided after the time for recovery, once, and others
 * are placed meanwhile. Runs with {@code -Pcrash} and prints its figures.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(420)
class LostWorkerIT {
    private static final Duration RECOVERY = Duration.ofSeconds(40);

    @TempDir
    Path scratch;

    private Installation installation;
    private MasterGroup masters;
    private Launched doomed;
    private Launched other;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        masters = MasterGroup.start(
                installation,
                1,
                number -> Stream.concat(
                                MasterGroup.IN_FILES.stream(),
                                Stream.of(
                                        "--conf",
                                        "hearth.worker.timeout=6s",
                                        "--conf",
                                        "hearth.deploy.recoveryTimeout=" + RECOVERY.toSeconds() + "s"))
                        .toList());
        doomed = masters.worker(masters.url(), "doomed", 2);
    }

    @AfterEach
    void stop() {
        doomed.close();
        if (other != null) {
            other.close();
        }
        masters.close();
    }

    @Test
    void driversOfAWorkerThatDoesNotComeBackAreDecidedOnce() throws Exception {
        Path stop = scratch.resolve("stop");
        PresenceRecord plainRecord = new PresenceRecord(scratch.resolve("plain"));
        PresenceRecord record = new PresenceRecord(scratch.resolve("supervised"));
        String plain = ClusterDrivers.begin(installation, masters, false, plainRecord, stop.toString());
        String supervised = ClusterDrivers.begin(installation, masters, true, record, stop.toString());
        other = masters.worker(masters.url(), "other", 4);
        try (SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            masters.process(0).kill();
            doomed.kill();
            long begun = System.nanoTime(); // not after the master begins to recover
            masters.restart(0);
            ledger.awaitState(ledger.submit("new", true), "FINISHED");
            long placed = System.nanoTime();
            assertEquals("RUNNING", ledger.state(plain), "it is awaited");
            assertTrue(placed - begun < RECOVERY.toNanos(), "placed before the time for recovery was over");
            print("master and worker killed: a new driver has run", begun, placed);
            ledger.awaitState(plain, "ERROR");
            long decided = System.nanoTime();
            assertTrue(decided - begun >= RECOVERY.toNanos(), "decided too early");
            print("master and worker killed: a driver is given up", begun, decided);
            record.await(2, List.of(masters.process(0), other));
            print("master and worker killed: a supervised driver runs again", begun, System.nanoTime());
            Files.createFile(stop);
            ledger.awaitState(supervised, "FINISHED");
            assertEquals("ERROR", ledger.state(plain));
            assertEquals(1, plainRecord.presences().size(), "a driver that is not supervised starts once");
            assertEquals(2, record.presences().size(), "a supervised driver starts once again");
            ledger.requireKept();
        }
        for (String id : List.of(plain, supervised)) {
            long decisions = masters.process(0)
                    .errors()
                    .lines()
                    .filter(line -> line.contains(id) && line.contains("did not register again"))
                    .count();
            assertTrue(decisions <= 1, () -> masters.process(0).errors());
        }
    }

    private static void print(String what, long from, long to) {
        System.out.println(what + " after " + Duration.ofNanos(to - from).toMillis() + " ms");
    }
}
