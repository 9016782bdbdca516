package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.TestingNetwork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Cuts the leader and two of three workers from ZooKeeper, from the other master and from the other worker: drill 5. The leader
 * stops to acknowledge, another one leads, and supervised drivers start there once those of the minority have ended. Runs only with
 * {@code -Pnet}, because it needs root and Linux; {@code UncertainMasterTest} simulates the leases.
 */
@Timeout(420)
@EnabledIfSystemProperty(named = "hearth.net", matches = "true")
class PartedMastersIT {
    private static final int ARBITER = 1; // ZooKeeper, the other master, and submitters
    private static final int LEADER = 2;
    private static final int LEFT = 3;
    private static final int RIGHT = 4;
    private static final int OUTSIDE = 5; // the worker of the majority
    private static final List<Integer> MAJORITY = List.of(ARBITER, OUTSIDE);
    private static final List<Integer> MINORITY = List.of(LEADER, LEFT, RIGHT);
    private static final int PORT = 7077;
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final List<String> IN_COMMON =
            List.of("--conf", "hearth.rpc.silenceTimeout=3s", "--conf", "hearth.rpc.trustedNetwork=true");
    private static final double NANOS_PER_SECOND = 1e9;

    @TempDir
    Path scratch;

    private final List<AutoCloseable> started = new ArrayList<>();
    private Installation installation;
    private TestingNetwork net;
    private ZooKeeperProcess server;
    private Launched leader;
    private Launched other;
    private Launched left;
    private Launched right;
    private Path stop;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        stop = scratch.resolve("stop");
        net = TestingNetwork.of(OUTSIDE);
        started.add(net);
        server = ZooKeeperProcess.in(scratch, command -> net.as(ARBITER, command));
        started.add(server);
        leader = master(LEADER);
        other = master(ARBITER);
        assertTrue(leader.errors().contains("leads as number 1"), leader::errors);
        left = worker(LEFT, 2);
        right = worker(RIGHT, 2);
    }

    @AfterEach
    void end() throws Exception {
        for (int last = started.size() - 1; last >= 0; last--) {
            started.get(last).close();
        }
    }

    private Launched master(int member) throws IOException {
        return daemon(
                member,
                "master",
                "--host",
                TestingNetwork.host(member),
                "--port",
                String.valueOf(PORT),
                "--conf",
                "hearth.deploy.recoveryMode=ZOOKEEPER",
                "--conf",
                "hearth.deploy.zookeeper.url=" + TestingNetwork.host(ARBITER) + ":" + server.port(),
                "--conf",
                "hearth.deploy.zookeeper.sessionTimeout=6s",
                "--conf",
                "hearth.worker.timeout=4s",
                "--conf",
                "hearth.master.dir=" + scratch.resolve("master" + member));
    }

    private Launched worker(int member, int cores) throws IOException {
        return daemon(
                member,
                "worker",
                "--host",
                TestingNetwork.host(member),
                "--cores",
                String.valueOf(cores),
                "--memory",
                "4g",
                "--work-dir",
                scratch.resolve("work" + member).toString(),
                url(LEADER, ARBITER));
    }

    private Launched daemon(int member, String... arguments) throws IOException {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(1, IN_COMMON); // the role comes first
        Launched ready = Launched.startDaemon(scratch, net.as(member, installation.daemonCommand(all)))
                .process();
        started.add(ready);
        return ready;
    }

    private static String url(int... members) {
        StringBuilder url = new StringBuilder("hearth://");
        for (int member : members) {
            url.append(url.length() > "hearth://".length() ? "," : "")
                    .append(TestingNetwork.host(member))
                    .append(':')
                    .append(PORT);
        }
        return url.toString();
    }

    /** Runs bin/submit on the member {@code member}. */
    private Launched submit(int member, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin/submit").toString()));
        command.addAll(IN_COMMON);
        command.addAll(arguments);
        Launched submitted = Launched.start(scratch, net.as(member, command));
        started.add(submitted);
        return submitted;
    }

    private Launched submitDriver(int member, String url, boolean waits, String type, String... arguments)
            throws IOException {
        return submit(
                member, ClusterDrivers.arguments(installation, url, waits, type.equals("SignsIn"), type, arguments));
    }

    private void partition(boolean parts) throws IOException {
        for (int one : MAJORITY) {
            for (int two : MINORITY) {
                if (parts) {
                    net.part(one, two);
                } else {
                    net.heal(one, two);
                }
            }
        }
    }

    private static void awaitLine(Launched process, String text) {
        Eventually.until("'" + text + "'", () -> process.errors().contains(text), BOUND, process::errors);
    }

    private List<Launched> daemons() {
        return List.of(leader, other, left, right);
    }

    @Test
    void startsDriversOfTheMinorityElsewhereWhenTheyHaveEnded() throws Exception {
        List<PresenceRecord> drivers =
                List.of(new PresenceRecord(scratch.resolve("signs-0")), new PresenceRecord(scratch.resolve("signs-1")));
        List<String> ids = new ArrayList<>();
        for (PresenceRecord driver : drivers) {
            ids.add(ClusterDrivers.id(submitDriver(
                    ARBITER,
                    url(LEADER, ARBITER),
                    false,
                    "SignsIn",
                    driver.file().toString(),
                    stop.toString())));
        }
        for (PresenceRecord driver : drivers) {
            driver.await(1, daemons());
        }
        Launched outside = worker(OUTSIDE, 4);

        partition(true);
        long cut = System.nanoTime();
        Launched late = submitDriver(
                LEFT,
                url(LEADER),
                false,
                "AppendsLine",
                scratch.resolve("lines").toString(),
                "late");
        awaitNewWork(cut);
        for (PresenceRecord driver : drivers) {
            driver.await(2, daemons());
        }
        assertFalse(ClusterDrivers.isAccepted(late), () -> "acknowledged without a log: " + late.errors());
        daemons().forEach(daemon -> assertTrue(daemon.isAlive(), daemon::errors));

        heal();
        Files.createFile(stop);
        for (String id : ids) {
            Eventually.until("the end of " + id, () -> isFinished(id), BOUND, other::errors);
        }
        for (PresenceRecord driver : drivers) {
            requireInTurn(driver, cut);
        }
        assertTrue(outside.isAlive());
        late.status(); // refused, or acknowledged by the other master
    }

    /** Waits until the other master leads, and runs a new driver. */
    private void awaitNewWork(long cut) throws Exception {
        awaitLine(other, "leads as number 2");
        print("another leads after %.1f s", cut);
        ClusterDrivers.id(submitDriver(
                ARBITER,
                url(LEADER, ARBITER),
                true,
                "AppendsLine",
                scratch.resolve("lines").toString(),
                "new"));
        print("a new driver has run after %.1f s", cut);
    }

    /** Heals the network, and waits until the former leader stands by and its workers have another one. */
    private void heal() throws IOException {
        partition(false);
        awaitLine(leader, "it stands by");
        for (Launched worker : List.of(left, right)) {
            awaitLine(worker, "is registered with master " + TestingNetwork.host(ARBITER) + ":" + PORT);
        }
    }

    private static void requireInTurn(PresenceRecord driver, long cut) throws IOException {
        List<PresenceRecord.Presence> found = driver.presences();
        assertEquals(2, found.size(), () -> "processes in turn: " + found);
        assertTrue(found.get(0).lastNanos() < found.get(1).firstNanos());
        System.out.printf(
                "leader and two workers cut off: a supervised driver ended after %.1f s, and started again after %.1f s%n",
                found.get(0).secondsToLast(cut), found.get(1).secondsToFirst(cut));
    }

    private static void print(String what, long cut) {
        System.out.printf(
                "leader and two workers cut off: " + what + "%n", (System.nanoTime() - cut) / NANOS_PER_SECOND);
    }

    private boolean isFinished(String id) throws IOException, InterruptedException {
        Launched asks = submit(ARBITER, List.of("--master", url(LEADER, ARBITER), "--status", id));
        return asks.status() == 0 && asks.output().contains(id + ": FINISHED");
    }
}
