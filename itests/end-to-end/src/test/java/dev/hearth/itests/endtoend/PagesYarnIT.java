package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.GatedPrints;
import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Pages, logs and reports of applications on a real YARN (rows Y21, Y29, Y30 and Y35). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class PagesYarnIT {
    private static final String MANAGER = "resourcemanager.webapp.address";
    /** An address of this machine that is no proxy's. */
    private static final String STRANGER = "127.0.0.9";

    private static final Pattern ADDRESS = Pattern.compile("monitoring API at (http://[^/]+)/");

    @TempDir
    static Path scratch;

    private static OnYarn yarn;

    @BeforeAll
    static void start() throws Exception {
        yarn = OnYarn.start(
                scratch,
                HadoopLab.Plan.ofYarn(1)
                        .with("yarn-site.xml", "yarn.log-aggregation-enable", "true")
                        .with("yarn-site.xml", "yarn.nodemanager.remote-app-log-dir", "/logs"));
    }

    @AfterAll
    static void stop() {
        if (yarn != null) {
            yarn.close();
        }
    }

    private static String throughProxy(String application, String path) throws Exception {
        return yarn.lab().page(MANAGER, "/proxy/" + application + path);
    }

    /** Answer of the server at {@code port} to a client that comes from {@code from}, with its head. */
    private static String answer(URI port, String from, String path) throws IOException {
        try (Socket socket = new Socket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName(from), 0));
            socket.connect(new InetSocketAddress(port.getHost(), port.getPort()));
            String request =
                    "GET " + path + " HTTP/1.1\r\nHost: " + port.getAuthority() + "\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Address of the pages of a driver, as it logs it. */
    private static URI port(Launched submitter, String application) throws Exception {
        StringBuilder logs = new StringBuilder(submitter.errors());
        for (Path log : yarn.filesWith(
                "monitoring API at", file -> file.toString().contains(application) && file.endsWith("stderr"))) {
            logs.append(Files.readString(log));
        }
        Matcher address = ADDRESS.matcher(logs);
        assertTrue(address.find(), logs::toString);
        return URI.create(address.group(1));
    }

    /** Y29: the status of an application through the proxy, for the proxy alone, and its history afterwards. */
    @ParameterizedTest
    @EnumSource
    void showsPagesThroughTheProxy(ModesYarnIT.Mode mode) throws Exception {
        try (Gate gate = new Gate();
                Launched runs = yarn.submit(OnYarn.join(
                        mode.arguments(),
                        new String[] {
                            "--conf",
                                    "spark.yarn.historyServer.address=history.example:${hadoopconf-io.file.buffer.size}",
                            "--conf", "hearth.log.level.dev.hearth.driver.address=INFO"
                        },
                        yarn.program(GatedPrints.class, String.valueOf(gate.port()), "1")))) {
            Gate.Visitor task = gate.next();
            String application = yarn.lastApplication();
            Eventually.until(
                    "the pages of " + application + " are open",
                    () -> throughProxy(application, "/api/v1/applications/" + application + "/jobs")
                            .contains("\"numActiveTasks\""),
                    OnYarn.BOUND,
                    runs::errors);
            String page = throughProxy(application, "/");
            assertTrue(page.contains("/proxy/" + application + "/api/v1"), page);
            String tracking = yarn.reported(application, "trackingUrl");
            assertTrue(tracking.endsWith("/proxy/" + application + "/"), tracking);
            String redirected = answer(port(runs, application), STRANGER, "/api/v1/applications?limit=1");
            assertTrue(redirected.startsWith("HTTP/1.1 302 "), redirected);
            assertTrue(
                    redirected.contains("/proxy/redirect/" + application + "/api/v1/applications?limit=1\r\n"),
                    redirected);
            gate.open();
            task.pass();
            assertEquals(0, runs.status(), runs::errors);
            yarn.awaitEnd(application);
            String after = answer(manager(), "127.0.0.1", "/proxy/" + application + "/");
            assertTrue(after.startsWith("HTTP/1.1 302 "), after);
            String attempt = mode == ModesYarnIT.Mode.CLUSTER ? "/1" : "";
            assertTrue(after.contains("Location: http://history.example:4096/history/" + application + attempt), after);
        }
    }

    /** What {@code hearth logs} prints of an application. */
    private static String logs(String... words) throws Exception {
        try (Launched asks =
                yarn.hearth(OnYarn.join(new String[] {"logs"}, words, new String[] {"--master", "yarn"}))) {
            assertEquals(0, asks.status(), asks::errors);
            return asks.output() + asks.errors();
        }
    }

    /** Y30: outputs while the application runs, followed to its end, and when the node is gone. */
    @Test
    void printsLogsWhileItRunsAndAfterwards() throws Exception {
        String application;
        try (Gate gate = new Gate();
                Launched runs = yarn.submit(OnYarn.join(
                        ModesYarnIT.Mode.CLUSTER.arguments(),
                        new String[] {"--conf", "hearth.executor.instances=1"},
                        yarn.program(GatedPrints.class, String.valueOf(gate.port()), "1")))) {
            Gate.Visitor task = gate.next();
            application = yarn.lastApplication();
            assertTrue(logs(application, "--executor", "1", "--stdout").contains("task 0 waits"), application);
            try (Launched follows =
                    yarn.hearth("logs", application, "--driver", "--follow", "--stdout", "--master", "yarn")) {
                gate.open();
                task.pass();
                assertEquals(0, runs.status(), runs::errors);
                assertEquals(0, follows.status(), follows::errors);
                assertTrue(follows.output().contains("1 tasks"), follows::errors);
            }
        }
        yarn.awaitEnd(application);
        assertTrue(logs(application, "1", "--stdout").contains("task 0 has passed"), application);
        yarn.lab().kill(HadoopLab.nodeManager(1));
        try {
            assertEquals("1 tasks\n", logs(application, "--stdout", "-n", "1", "--attempt", "1"));
            assertEquals("tasks\n", logs(application, "--stdout", "--bytes", "6"));
            try (Launched unknown = yarn.hearth("logs", application, "--executor", "99", "--master", "yarn")) {
                assertEquals(6, unknown.status(), unknown::errors);
                assertTrue(unknown.errors().contains("not among the 2 containers"), unknown::errors);
            }
        } finally {
            yarn.lab().startDaemon(HadoopLab.nodeManager(1));
            yarn.lab().awaitReady();
        }
    }

    private static URI manager() {
        return URI.create("http://127.0.0.1:" + yarn.lab().port(MANAGER));
    }
}
