package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three masters of the distribution share facts in a server of ZooKeeper, all on this machine. The leader is killed, stopped
 * by a signal and ended, and the server is away for a while. Runs with {@code -Pcrash} and prints its figures.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(600)
class MasterFailoverIT {
    private static final int MASTERS = 3;
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Pattern ACCEPTED = Pattern.compile("submitted as (driver-\\d{14}-\\d{4,})");

    @TempDir
    Path scratch;

    private final Set<String> accepted = new LinkedHashSet<>();
    private Installation installation;
    private ZooKeeperProcess server;
    private MasterGroup masters;
    private Launched worker;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        server = ZooKeeperProcess.in(scratch);
        masters = MasterGroup.start(installation, MASTERS, number -> MasterGroup.inZooKeeper(server.port()));
        worker = masters.worker(masters.url(), "work", 2);
    }

    @AfterEach
    void stop() {
        worker.close();
        masters.close();
        server.close();
    }

    /** Submits through all addresses; the driver needs {@code cores} cores. */
    private Launched submit(boolean waits, int cores) throws IOException {
        return installation.submit(
                "--master",
                masters.url(),
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "128m",
                "--driver-cores",
                String.valueOf(cores),
                "--executor-memory",
                "256m",
                "--total-executor-cores",
                "1",
                "--conf",
                "hearth.standalone.submit.waitAppCompletion=" + waits,
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "2");
    }

    private void accept(Launched submitted) throws InterruptedException {
        assertEquals(0, submitted.status(), submitted::errors);
        Matcher line = ACCEPTED.matcher(submitted.errors());
        assertTrue(line.find(), submitted::errors);
        assertTrue(accepted.add(line.group(1)), () -> line.group(1) + " was given before: " + accepted);
    }

    /** Submits an application; returns false if the masters take on nothing new yet. */
    private boolean isAccepted() throws IOException, InterruptedException {
        try (Launched submitted = submit(false, 1)) {
            boolean isTaken = submitted.status() == 0;
            if (isTaken) {
                accept(submitted);
            }
            return isTaken;
        }
    }

    private String statuses() throws Exception {
        try (Launched asks = installation.submit("--master", masters.url(), "--status", "driver-*")) {
            assertEquals(0, asks.status(), asks::errors);
            return asks.output() + asks.errors();
        }
    }

    private void requireMasters() {
        for (int i = 0; i < MASTERS; i++) {
            assertTrue(masters.process(i).isAlive());
        }
    }

    private void runs() throws Exception {
        try (Launched pi = submit(true, 1)) {
            accept(pi);
            assertTrue(pi.output().startsWith("Pi is roughly 3."), pi::output);
        }
    }

    private void requireAllKnown() throws Exception {
        String known = statuses();
        accepted.forEach(id -> assertTrue(known.contains(id), () -> id + " in " + known));
    }

    @Test
    void goesOnWithAnotherLeaderAndForgetsNothing() throws Exception {
        runs(); // which makes the archives of classes
        long begun = System.nanoTime();
        runs();
        System.out.println("a driver runs within " + (System.nanoTime() - begun) / 1_000_000 + " ms");
        try (Launched waiting = submit(false, 64)) {
            accept(waiting);
        }
        int first = masters.leader().orElseThrow();
        long killed = System.nanoTime();
        masters.process(first).kill();
        masters.awaitLeaderBut(first);
        System.out.println("leader killed: another leads after " + (System.nanoTime() - killed) / 1_000_000 + " ms");
        runs();
        System.out.println(
                "leader killed: a new driver has run after " + (System.nanoTime() - killed) / 1_000_000 + " ms");
        requireAllKnown();
        masters.restart(first);
        masters.awaitStandby(first);

        int second = masters.leader().orElseThrow();
        Processes.signal("STOP", masters.process(second).pid());
        long stopped = System.nanoTime();
        try {
            masters.awaitLeaderBut(second);
            System.out.println("leader stopped by a signal: another leads after "
                    + (System.nanoTime() - stopped) / 1_000_000 + " ms");
        } finally {
            Processes.signal("CONT", masters.process(second).pid());
        }
        masters.awaitStandby(second);
        assertTrue(masters.process(second).isAlive());
        requireAllKnown();
        runs();

        int third = masters.leader().orElseThrow();
        masters.process(third).end();
        long ended = System.nanoTime();
        masters.awaitLeaderBut(third);
        System.out.println("leader ended: another leads after " + (System.nanoTime() - ended) / 1_000_000 + " ms");
        assertEquals(143, masters.process(third).status(), "ended by SIGTERM");
        masters.restart(third);
        runs();
        requireAllKnown();
    }

    @Test
    void waitsForAServerThatIsAwayAndLeadsAgainByItself() throws Exception {
        runs();
        int before = masters.leader().orElseThrow();
        server.kill();
        Eventually.until(
                "a leader that knows it",
                () -> masters.process(before).errors().contains("does not answer"),
                BOUND,
                () -> masters.process(before).errors());
        requireAllKnown();
        try (Launched waits = submit(false, 1)) {
            assertTrue(
                    !waits.hasEndedWithin(Duration.ofSeconds(10)) || waits.status() != 0,
                    () -> "acknowledged without a log: " + waits.errors());
            requireMasters();
            server.restart();
            long back = System.nanoTime();
            Eventually.until("a submission that is accepted", this::isAccepted, BOUND);
            runs();
            System.out.println(
                    "server back: a new driver has run after " + (System.nanoTime() - back) / 1_000_000 + " ms");
            waits.status();
        }
        requireMasters();
        requireAllKnown();
    }
}
