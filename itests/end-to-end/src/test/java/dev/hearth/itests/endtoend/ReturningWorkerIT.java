package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker is killed and started again at once with the same id and port: drill 16. What the killed process has started ends by
 * itself and is started again once, and the master knows what runs. Runs with {@code -Pcrash}; {@code SessionsOfWorkersTest} has
 * the decisions of the master.
 */
@EnabledIfSystemProperty(named = "hearth.crash.kills", matches = "\\d+")
@Timeout(600)
class ReturningWorkerIT {
    private static final int ROUNDS = Math.max(1, Integer.getInteger("hearth.crash.kills", 50) / 50);
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Pattern CORES_USED = Pattern.compile("\"coresused\":(\\d+)");
    private static final int CORES = 8;
    private static final List<String> SETTINGS =
            List.of("--conf", "hearth.deploy.recoveryMode=FILESYSTEM", "--conf", "hearth.worker.timeout=6s");

    @TempDir
    Path scratch;

    private Installation installation;
    private MasterGroup masters;

    @Test
    void aWorkerThatWasKilledReturnsWithItsId() throws Exception {
        installation = Installation.in(scratch);
        int port = FreePort.draw();
        masters = MasterGroup.start(installation, 1, number -> SETTINGS);
        Launched worker = startWorker(port);
        String id = worker.output().trim();
        try (Gate gate = new Gate();
                Launched supervised = submit("cluster", gate, "--supervise");
                Launched client = submit("client", gate)) {
            List<Gate.Visitor> visitors = visitors(gate, 3); // a driver, and a task of both
            for (int round = 0; round < ROUNDS; round++) {
                long killed = System.nanoTime();
                worker.kill();
                worker = startWorker(port);
                System.out.println("killed worker: another process of its id is registered after "
                        + Duration.ofNanos(System.nanoTime() - killed).toMillis() + " ms");
                assertEquals(id, worker.output().trim());
                Processes.waitForTheEndOf(visitors.stream()
                        .flatMap(visitor -> ProcessHandle.of(visitor.pid()).stream())
                        .toList());
                visitors = visitors(gate, 3);
                requireSame(worker);
            }
            gate.open();
            for (Gate.Visitor visitor : visitors) {
                if (visitor.who().equals("task")) {
                    visitor.pass();
                }
            }
            for (Launched each : List.of(supervised, client)) {
                assertEquals(0, each.status(), each::errors);
                assertTrue(each.output().contains("sum is 0"), each::output);
            }
            assertEquals(1 + 3 * (ROUNDS + 1), gate.visitors(), "something was started twice");
            awaitCoresUsed(0);
        } finally {
            worker.close();
            masters.close();
        }
    }

    private Launched startWorker(int port) throws IOException {
        return masters.worker(
                masters.url(),
                "work",
                CORES,
                "--port",
                String.valueOf(port),
                "--conf",
                "hearth.worker.idPattern=worker-%2$s-%3$d");
    }

    /** Waits for {@code tasks} drivers and tasks on the cluster; the driver of the client, which is elsewhere, is let pass. */
    private List<Gate.Visitor> visitors(Gate gate, int tasks) throws Exception {
        List<Gate.Visitor> all = new ArrayList<>();
        while (all.size() < tasks) {
            Gate.Visitor visitor = gate.next();
            all.add(visitor);
            if (visitor.who().equals("driver")) {
                visitor.pass();
                if (!isOnTheCluster(visitor)) {
                    all.remove(visitor);
                }
            }
        }
        return all;
    }

    private static boolean isOnTheCluster(Gate.Visitor visitor) {
        return Installation.commandLine(visitor.pid()).contains("-Dhearth.lifeline=orders");
    }

    /** Requires that the master and the worker agree: a driver and two executors with a core each, and one worker. */
    private void requireSame(Launched worker) {
        awaitCoresUsed(3);
        String page = masters.page(0, "/json/aliveworkers");
        assertTrue(page.contains("1"), page);
        assertEquals(1, worker.output().lines().count(), worker::errors);
        assertTrue(!worker.errors().contains("register again"), worker::errors);
    }

    private void awaitCoresUsed(int cores) {
        Eventually.until(
                cores + " cores used",
                () -> {
                    Matcher used = CORES_USED.matcher(masters.page(0, "/json/coresused"));
                    return used.find() && Integer.parseInt(used.group(1)) == cores;
                },
                BOUND,
                () -> masters.page(0, "/json"));
    }

    private Launched submit(String mode, Gate gate, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--master", masters.url(), "--deploy-mode", mode));
        arguments.addAll(List.of(more));
        arguments.addAll(List.of("--driver-memory", "96m", "--executor-memory", "96m"));
        arguments.addAll(List.of("--total-executor-cores", "1"));
        arguments.addAll(List.of("--class", "dev.hearth.itests.endtoend.app.GatedSum"));
        arguments.addAll(List.of(installation.applications().toString(), String.valueOf(gate.port()), "1"));
        return installation.submit(arguments.toArray(String[]::new));
    }
}
