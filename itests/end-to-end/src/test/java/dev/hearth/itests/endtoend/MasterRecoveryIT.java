package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a master that recovers as kill -9 does, and starts it again: what it has answered is not forgotten, and nothing is
 * started twice, and what runs goes on. Runs with {@code -Pcrash}, which asks for 20 kills with submissions on their way; {@code
 * MasterRestartsTest} simulates the same in each build.
 */
@EnabledIfSystemProperty(named = "hearth.crash.kills", matches = "\\d+")
@Timeout(900)
class MasterRecoveryIT {
    private static final int KILLS = Math.max(1, Integer.getInteger("hearth.crash.kills", 10) / 10);
    private static final double MILLIS_PER_SECOND = 1e3;
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Pattern ACCEPTED = Pattern.compile("submitted as (driver-\\d{14}-\\d{4,})");

    @TempDir
    Path scratch;

    private final Set<String> accepted = new LinkedHashSet<>();
    private Installation installation;
    private int port;
    private Launched.Ready master;

    private Launched.Ready startMaster() throws IOException {
        return installation.daemon(
                "master",
                "--port",
                String.valueOf(port),
                "--conf",
                "hearth.deploy.recoveryMode=FILESYSTEM",
                "--conf",
                "hearth.master.dir=" + scratch.resolve("master"));
    }

    private Launched submit(boolean waits, String request) throws IOException {
        return installation.submit(
                "--master",
                master.line(),
                "--deploy-mode",
                "cluster",
                "--driver-memory",
                "128m",
                "--executor-memory",
                "256m",
                "--total-executor-cores",
                "1",
                "--conf",
                "hearth.standalone.submit.waitAppCompletion=" + waits,
                "--request-id",
                request,
                "--class",
                "dev.hearth.examples.Pi",
                installation.examples().toString(),
                "2");
    }

    private String status() throws Exception {
        try (Launched asks = installation.submit("--master", master.line(), "--status", "driver-*")) {
            assertEquals(0, asks.status(), asks::errors);
            return asks.output() + asks.errors();
        }
    }

    private void note(Launched submit) {
        Matcher line = ACCEPTED.matcher(submit.errors());
        if (line.find()) {
            assertTrue(accepted.add(line.group(1)), () -> line.group(1) + " was given before: " + accepted);
        }
    }

    /** Waits until submissions were answered, or refused because the master was away. */
    private void noteAll(List<Launched> onTheirWay) throws InterruptedException {
        for (Launched each : onTheirWay) {
            each.status();
            note(each);
            each.close();
        }
        onTheirWay.clear();
    }

    @Test
    void keepsWhatItHasAnsweredOverKills() throws Exception {
        installation = Installation.in(scratch);
        port = FreePort.draw();
        master = startMaster();
        List<Launched> onTheirWay = new ArrayList<>();
        Launched waiting = submit(true, "request-0");
        try {
            Eventually.until(
                    "an answer", () -> waiting.errors().contains("waits for a worker"), BOUND, waiting::errors);
            note(waiting);
            for (int kill = 1; kill <= KILLS; kill++) {
                if (KILLS > 1) {
                    onTheirWay.add(submit(false, "request-" + kill));
                }
                master.process().kill();
                master = startMaster();
                noteAll(onTheirWay);
            }
            String known = status();
            accepted.forEach(id -> assertTrue(known.contains(id + ": SUBMITTED"), () -> id + " in " + known));
            try (Launched again = submit(false, "request-0")) {
                assertEquals(0, again.status(), again::errors);
                assertTrue(again.errors().contains(accepted.iterator().next()), again::errors);
            }
            Launched.Ready worker = installation.daemon(
                    "worker",
                    "--cores",
                    "64",
                    "--memory",
                    "32g",
                    "--work-dir",
                    scratch.resolve("work").toString(),
                    master.line());
            try {
                assertEquals(0, waiting.status(), waiting::errors);
                assertTrue(waiting.output().startsWith("Pi is roughly 3."), waiting::output);
            } finally {
                worker.process().close();
            }
        } finally {
            onTheirWay.forEach(Launched::close);
            waiting.close();
            master.process().close();
        }
    }

    /** A driver in cluster mode and an application in client mode go on without a master, and new work follows soon. */
    @Test
    void restartsNothingBecauseTheMasterWasKilled() throws Exception {
        installation = Installation.in(scratch);
        port = FreePort.draw();
        master = startMaster();
        Launched.Ready worker = startWorker();
        try (Gate gate = new Gate();
                Launched cluster = gated("cluster", gate);
                Launched client = gated("client", gate)) {
            List<Gate.Visitor> tasks = tasks(gate, 2);
            master.process().kill();
            long killed = System.nanoTime();
            master = startMaster();
            try (Launched late = gated("client", gate)) {
                List<Gate.Visitor> added = tasks(gate, 1);
                System.out.printf(
                        "new work ran %.1f s after the kill of the master%n",
                        Duration.ofNanos(System.nanoTime() - killed).toMillis() / MILLIS_PER_SECOND);
                gate.open();
                for (Gate.Visitor task :
                        Stream.concat(tasks.stream(), added.stream()).toList()) {
                    task.pass();
                }
                for (Launched each : List.of(cluster, client, late)) {
                    assertEquals(0, each.status(), each::errors);
                    assertTrue(each.output().contains("sum is 1"), each::output);
                }
                assertTrue(
                        tasks.stream().noneMatch(before -> added.stream().anyMatch(now -> now.pid() == before.pid())),
                        "the first executors are others");
            }
            assertEquals(3 + 3 * 2, gate.visitors(), "no driver and no task was started again");
        } finally {
            worker.process().close();
            master.process().close();
        }
    }

    private Launched.Ready startWorker() throws IOException {
        return installation.daemon(
                "worker",
                "--cores",
                "8",
                "--memory",
                "8g",
                "--work-dir",
                scratch.resolve("work").toString(),
                master.line());
    }

    /** Begins an application whose driver, and whose two tasks, wait at {@code gate}. */
    private Launched gated(String mode, Gate gate) throws IOException {
        return installation.submit(
                "--master",
                master.line(),
                "--deploy-mode",
                mode,
                "--driver-memory",
                "128m",
                "--executor-memory",
                "256m",
                "--total-executor-cores",
                "2",
                "--class",
                "dev.hearth.itests.endtoend.app.GatedSum",
                installation.applications().toString(),
                String.valueOf(gate.port()),
                "2");
    }

    /** Lets {@code drivers} drivers pass, and waits until two tasks of each have come to the gate. */
    private static List<Gate.Visitor> tasks(Gate gate, int drivers) throws Exception {
        List<Gate.Visitor> tasks = new ArrayList<>();
        int passed = 0;
        while (passed < drivers || tasks.size() < 2 * drivers) {
            Gate.Visitor visitor = gate.next();
            if (visitor.who().equals("driver")) {
                visitor.pass();
                passed++;
            } else {
                tasks.add(visitor);
            }
        }
        return tasks;
    }
}
