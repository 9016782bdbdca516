package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
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
 * Three masters of the distribution share facts in a server of ZooKeeper, all on this machine. The leader is killed, stopped
 * by a signal and ended, and the server is away for a while. Runs with {@code -Pcrash} and prints its figures.
 */
@EnabledIfSystemProperty(named = "hearth.zookeeper.jars", matches = ".+")
@Timeout(600)
class MasterFailoverIT {
    private static final int MASTERS = 3;
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Pattern ACCEPTED = Pattern.compile("submitted as (driver-\\d{14}-\\d{4,})");

    @TempDir
    Path scratch;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<Integer> ports = new ArrayList<>();
    private final List<Launched> masters = new ArrayList<>();
    private final Set<String> accepted = new LinkedHashSet<>();
    private Installation installation;
    private Launched server;
    private Launched worker;
    private int serverPort;

    @BeforeEach
    void start() throws Exception {
        installation = Installation.in(scratch);
        serverPort = FreePort.draw();
        server = startServer();
        for (int i = 0; i < MASTERS; i++) {
            ports.add(FreePort.draw());
            masters.add(startMaster(i));
        }
        worker = installation
                .daemon(
                        "worker",
                        "--cores",
                        "2",
                        "--memory",
                        "4g",
                        "--work-dir",
                        scratch.resolve("work").toString(),
                        url())
                .process();
    }

    @AfterEach
    void stop() {
        worker.close();
        masters.forEach(Launched::close);
        server.close();
    }

    private Launched startServer() throws IOException {
        Path data = Files.createDirectories(scratch.resolve("zookeeper"));
        Launched started = Launched.start(
                scratch,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-Xmx128m",
                        "-Dzookeeper.admin.enableServer=false",
                        "-cp",
                        System.getProperty("hearth.zookeeper.jars") + "/*",
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        String.valueOf(serverPort),
                        data.toString()));
        Eventually.until("a server", () -> listens(serverPort), BOUND, started::output);
        return started;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }

    private Launched startMaster(int number) throws IOException {
        return installation
                .daemon(
                        "master",
                        "--port",
                        String.valueOf(ports.get(number)),
                        "--conf",
                        "spark.deploy.recoveryMode=ZOOKEEPER",
                        "--conf",
                        "spark.deploy.zookeeper.url=127.0.0.1:" + serverPort,
                        "--conf",
                        "hearth.deploy.zookeeper.sessionTimeout=6s",
                        "--conf",
                        "hearth.master.dir=" + scratch.resolve("master-" + number))
                .process();
    }

    private String url() {
        return "hearth://" + ports.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    private String status(int master) {
        try {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(master) + "/json/status"))
                                    .timeout(Duration.ofSeconds(2))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException away) {
            return "away";
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return "away";
        }
    }

    private Optional<Integer> leader() {
        for (int i = 0; i < MASTERS; i++) {
            if (status(i).contains("ALIVE")) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    /** Submits through all addresses; the driver needs {@code cores} cores. */
    private Launched submit(boolean waits, int cores) throws IOException {
        return installation.submit(
                "--master",
                url(),
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
        try (Launched asks = installation.submit("--master", url(), "--status", "driver-*")) {
            assertEquals(0, asks.status(), asks::errors);
            return asks.output() + asks.errors();
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

    private void awaitLeaderBut(int former) {
        Eventually.until(
                "another leader",
                () -> leader().filter(next -> next != former).isPresent(),
                BOUND,
                () -> masters.get((former + 1) % MASTERS).errors());
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
        int first = leader().orElseThrow();
        long killed = System.nanoTime();
        masters.get(first).kill();
        awaitLeaderBut(first);
        System.out.println("leader killed: another leads after " + (System.nanoTime() - killed) / 1_000_000 + " ms");
        runs();
        System.out.println(
                "leader killed: a new driver has run after " + (System.nanoTime() - killed) / 1_000_000 + " ms");
        requireAllKnown();
        masters.set(first, startMaster(first));
        assertTrue(status(first).contains("STANDBY"), () -> status(first));

        int second = leader().orElseThrow();
        Processes.signal("STOP", masters.get(second).pid());
        long stopped = System.nanoTime();
        try {
            awaitLeaderBut(second);
            System.out.println("leader stopped by a signal: another leads after "
                    + (System.nanoTime() - stopped) / 1_000_000 + " ms");
        } finally {
            Processes.signal("CONT", masters.get(second).pid());
        }
        Eventually.until("the former leader as standby", () -> status(second).contains("STANDBY"), BOUND);
        assertTrue(masters.get(second).isAlive());
        requireAllKnown();
        runs();

        int third = leader().orElseThrow();
        masters.get(third).end();
        long ended = System.nanoTime();
        awaitLeaderBut(third);
        System.out.println("leader ended: another leads after " + (System.nanoTime() - ended) / 1_000_000 + " ms");
        assertEquals(143, masters.get(third).status(), "ended by SIGTERM");
        masters.set(third, startMaster(third));
        runs();
        requireAllKnown();
    }

    @Test
    void waitsForAServerThatIsAwayAndLeadsAgainByItself() throws Exception {
        runs();
        int before = leader().orElseThrow();
        server.kill();
        Eventually.until(
                "a leader that knows it",
                () -> masters.get(before).errors().contains("does not answer"),
                BOUND,
                () -> masters.get(before).errors());
        requireAllKnown();
        try (Launched waits = submit(false, 1)) {
            assertTrue(
                    !waits.hasEndedWithin(Duration.ofSeconds(10)) || waits.status() != 0,
                    () -> "acknowledged without a log: " + waits.errors());
            masters.forEach(master -> assertTrue(master.isAlive()));
            server = startServer();
            long back = System.nanoTime();
            Eventually.until("a submission that is accepted", this::isAccepted, BOUND);
            runs();
            System.out.println(
                    "server back: a new driver has run after " + (System.nanoTime() - back) / 1_000_000 + " ms");
            waits.status();
        }
        masters.forEach(master -> assertTrue(master.isAlive()));
        requireAllKnown();
    }
}
