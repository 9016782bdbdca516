package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * ZooKeeper is away for a minute: drill 3. Applications go on, questions and kills are answered, submissions wait, no process
 * ends, and a master leads soon after its return. Runs with {@code -Pcrash} and prints its figures.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(900)
class ArbiterOutageIT {
    private static final int MASTERS = 2;
    private static final Duration OUTAGE = Duration.ofMinutes(1);
    private static final Duration BOUND = Duration.ofMinutes(2);

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
        worker = masters.worker(masters.url(), "work", 16);
    }

    @AfterEach
    void stop() {
        worker.close();
        masters.close();
        server.close();
    }

    private Set<Long> processes() {
        Set<Long> pids = new HashSet<>();
        installation.processes().forEach(process -> pids.add(process.pid()));
        return pids;
    }

    @Test
    void everythingGoesOnForAMinute() throws Exception {
        Path stop = scratch.resolve("stop");
        PresenceRecord supervised = new PresenceRecord(scratch.resolve("supervised"));
        PresenceRecord killed = new PresenceRecord(scratch.resolve("killed"));
        masters.awaitLeader();
        try (SubmissionLedger ledger = SubmissionLedger.of(installation, masters)) {
            String goesOn = ClusterDrivers.begin(installation, masters, true, supervised, stop.toString());
            String ends = ClusterDrivers.begin(installation, masters, false, killed, stop.toString());
            ledger.submit("waits-before", false);
            try (GatedApplications early = GatedApplications.start(installation, masters.url(), 0, 1, 0, processes());
                    GatedApplications later =
                            GatedApplications.start(installation, masters.url(), 1, 1, 1, processes())) {
                server.kill();
                long away = System.nanoTime();
                CompletableFuture<String> waits = submitLater(ledger);
                kill(ends, killed, away);
                early.finish();
                int answers = askUntil(ledger, goesOn, away);
                later.requireUntouched();
                assertFalse(waits.isDone(), "acknowledged without a log");
                server.restart();
                long back = System.nanoTime();
                waits.get(BOUND.toSeconds(), TimeUnit.SECONDS);
                print("ZooKeeper back after a minute: a submission that waited is acknowledged", back);
                ledger.awaitState(ledger.submit("new", true), "FINISHED");
                print("ZooKeeper back after a minute: a new driver has run", back);
                System.out.println("ZooKeeper away for a minute: " + answers + " questions answered");
                later.requireUntouched();
                later.finish();
            }
            for (int i = 0; i < MASTERS; i++) {
                assertTrue(masters.process(i).isAlive());
            }
            Files.createFile(stop);
            ledger.awaitState(goesOn, "FINISHED");
            ledger.awaitState(ends, "KILLED|FAILED"); // the log could not keep who had ended it
            assertEquals(
                    1,
                    supervised.presences().size(),
                    () -> "the supervised driver went on\n" + worker.errors()
                            + masters.process(0).errors()
                            + masters.process(1).errors());
            ledger.requireKept();
        }
    }

    private static CompletableFuture<String> submitLater(SubmissionLedger ledger) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return ledger.submit("waits-in-the-outage", false);
            } catch (IOException failure) {
                throw new CompletionException(failure);
            }
        });
    }

    /** Kills a driver as a user does, while no master knows who leads. */
    private void kill(String driver, PresenceRecord record, long away) throws Exception {
        try (Launched kills = installation.submit("--master", masters.url(), "--kill", driver)) {
            assertEquals(
                    0,
                    kills.status(),
                    () -> kills.errors()
                            + masters.process(0).errors()
                            + masters.process(1).errors());
        }
        long pid = record.presences().get(0).pid();
        Eventually.until(
                "the end of the killed driver",
                () -> ProcessHandle.of(pid).isEmpty(),
                BOUND,
                () -> masters.process(0).errors());
        print("ZooKeeper away: a killed driver has ended", away);
    }

    /** Asks for the state of a driver until the outage has lasted long enough, and returns the number of answers. */
    private int askUntil(SubmissionLedger ledger, String driver, long away) throws IOException {
        int[] answers = {0};
        Eventually.until(
                "a minute",
                () -> {
                    ledger.awaitState(driver, "RUNNING");
                    answers[0]++;
                    return System.nanoTime() - away > OUTAGE.toNanos();
                },
                OUTAGE.plus(BOUND),
                () -> masters.process(0).errors() + masters.process(1).errors());
        return answers[0];
    }

    private static void print(String what, long since) {
        System.out.println(
                what + " after " + Duration.ofNanos(System.nanoTime() - since).toMillis() + " ms");
    }
}
