package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

    private static final String SCHEDULER = "capacity-scheduler.xml";
    private static final String LABELLED = "yarn.scheduler.capacity.";
    private static final String PI = "dev.hearth.examples.Pi";
    /** How Airflow's hook finds the id of an application: the last match of all lines counts. */
    private static final Pattern OF_HOOK = Pattern.compile("application[0-9_]+");

    private static final Pattern EXECUTOR_LOG = Pattern.compile("\"stderr\"\\s*:\\s*\"(http://[^\"]+)\"");
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
                        .with("yarn-site.xml", "yarn.nodemanager.remote-app-log-dir", "/logs")
                        .with("yarn-site.xml", "yarn.cluster.max-application-priority", "10")
                        .with("yarn-site.xml", "yarn.node-labels.enabled", "true")
                        .with(
                                "yarn-site.xml",
                                "yarn.node-labels.fs-store.root-dir",
                                scratch.resolve("labels").toUri().toString())
                        .with(SCHEDULER, "yarn.scheduler.capacity.root.accessible-node-labels", "*")
                        .with(SCHEDULER, LABELLED + "root.accessible-node-labels.fast.capacity", "100")
                        .with(SCHEDULER, LABELLED + "root.default.accessible-node-labels", "*")
                        .with(SCHEDULER, LABELLED + "root.default.accessible-node-labels.fast.capacity", "100")
                        .with(
                                SCHEDULER,
                                LABELLED + "root.default.accessible-node-labels.fast.maximum-am-resource-percent",
                                "0.5"));
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
            requireLogsOfExecutors(throughProxy(application, "/api/v1/applications/" + application + "/executors"));
            URI port = port(runs, application);
            String tracking = yarn.reported(application, "trackingUrl");
            boolean isManaged = mode != ModesYarnIT.Mode.UNMANAGED; // of others YARN displays the address itself
            assertTrue(tracking.endsWith(isManaged ? "/proxy/" + application + "/" : port.toString()), tracking);
            String redirected = answer(port, STRANGER, "/api/v1/applications?limit=1");
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
            assertTrue(
                    after.contains("Location: http://history.example:65536/history/" + application + attempt), after);
        }
    }

    /** Y8: the logs of a running executor are at the address that the pages name. */
    private static void requireLogsOfExecutors(String executors) throws IOException {
        Matcher link = EXECUTOR_LOG.matcher(executors);
        assertTrue(link.find(), executors);
        URI log = URI.create(link.group(1));
        String answer = answer(log, "127.0.0.1", log.getRawPath() + "?" + log.getRawQuery());
        assertTrue(answer.startsWith("HTTP/1.1 200 "), () -> log + "\n" + answer);
    }

    /** Output of {@code hearth logs} about an application. */
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

    /** Y21: what the ResourceManager reports of an application is what its settings say. */
    @Test
    void reportsTheApplicationAsItWasSubmitted() throws Exception {
        String admin = "org.apache.hadoop.yarn.client.cli.RMAdminCLI";
        yarn.lab().tool(admin, "-addToClusterNodeLabels", "fast(exclusive=false)");
        yarn.lab().tool(admin, "-replaceLabelsOnNode", "localhost=fast");
        try (Launched submit = yarn.submit(OnYarn.join(
                ModesYarnIT.Mode.CLUSTER.arguments(),
                "--queue default --name nightly --conf spark.yarn.tags=livy-1,Nightly --conf spark.yarn.priority=3"
                        .split(" ", -1),
                "--conf hearth.yarn.applicationType=BATCH --conf hearth.yarn.application.timeout=10m".split(" ", -1),
                "--conf spark.yarn.am.nodeLabelExpression=fast --conf spark.yarn.executor.nodeLabelExpression=fast"
                        .split(" ", -1),
                new String[] {"--class", PI, yarn.installation().examples().toString(), "2"}))) {
            assertEquals(0, submit.status(), submit::errors);
            String application = yarn.lastApplication();
            assertEquals("nightly", yarn.reported(application, "name"));
            assertEquals("root.default", yarn.reported(application, "queue").replaceAll("^default$", "root.default"));
            assertEquals("BATCH", yarn.reported(application, "applicationType"));
            assertEquals("3", yarn.reported(application, "priority"));
            assertEquals("fast", yarn.reported(application, "amNodeLabelExpression"));
            String report = yarn.lab().page(MANAGER, "/ws/v1/cluster/apps/" + application);
            assertTrue(report.contains("livy-1") && report.contains("nightly"), report); // YARN has tags in lower case
            assertTrue(report.contains("\"LIFETIME\"") && !report.contains("UNLIMITED"), report);
            assertEquals("SUCCEEDED", yarn.reported(application, "finalStatus"));
        } finally {
            yarn.lab().tool(admin, "-replaceLabelsOnNode", "localhost=");
            yarn.lab().tool(admin, "-removeFromClusterNodeLabels", "fast");
        }
    }

    /** Parts that the hook of Airflow finds in the output of {@code bin/spark-submit}, both streams together. */
    private static String foundByHook(Launched submit) throws Exception {
        String found = "";
        for (String line : (submit.output() + submit.errors()).lines().toList()) {
            Matcher id = OF_HOOK.matcher(line.strip());
            found = id.find() ? id.group() : found;
        }
        return found;
    }

    private static Launched likeAirflow(String... last) throws IOException {
        return yarn.submit(OnYarn.join(
                "--name arrow-spark --conf spark.yarn.appMasterEnv.LEVEL=1 --num-executors 1".split(" ", -1),
                "--executor-cores 1 --queue default --deploy-mode cluster".split(" ", -1),
                last));
    }

    /** Y35: the id by the expression of the hook, the end by its questions to the ResourceManager, and its kill. */
    @Test
    void isFollowedByTheHookOfAirflow() throws Exception {
        String[] poll = {"--conf", "spark.yarn.submit.waitAppCompletion=false"};
        String jar = yarn.installation().examples().toString();
        try (Launched succeeds = likeAirflow(OnYarn.join(poll, new String[] {"--class", PI, jar, "2"}))) {
            assertEquals(0, succeeds.status(), succeeds::errors);
            String id = foundByHook(succeeds);
            assertEquals(yarn.lastApplication(), id, succeeds::errors);
            yarn.awaitEnd(id);
            assertEquals("FINISHED SUCCEEDED", yarn.reported(id, "state") + " " + yarn.reported(id, "finalStatus"));
        }
        try (Launched fails = likeAirflow("--class", "dev.hearth.examples.Fails", jar)) {
            assertEquals(1, fails.status(), fails::errors);
            String id = foundByHook(fails);
            assertEquals(yarn.lastApplication(), id, fails::errors);
            assertEquals("FAILED", yarn.reported(id, "finalStatus"));
            assertTrue(yarn.reported(id, "diagnostics").contains("boom"), id);
        }
        try (Launched killed = likeAirflow("--class", PI, jar, "4000")) {
            String id = yarn.application(killed);
            yarn.lab().tool("org.apache.hadoop.yarn.client.cli.ApplicationCLI", "application", "-kill", id);
            assertEquals(8, killed.status(), killed::errors);
            assertEquals(id, foundByHook(killed), killed::errors);
            assertEquals("KILLED", yarn.reported(id, "state"));
            yarn.awaitNothingLeft(id);
        }
    }

    /** An administrator puts the installation there for all users, once; submissions with the printed setting send no code. */
    @Test
    void runsAnInstallationThatAnAdministratorHasPrepared() throws Exception {
        String line;
        try (Launched prepares = yarn.hearth("yarn", "prepare", "/site/hearth")) {
            assertEquals(0, prepares.status(), prepares::errors);
            line = prepares.output().strip();
            assertTrue(line.matches("hearth\\.yarn\\.archive hdfs://.*-platform\\.tar\\.gz"), line);
        }
        try (Launched again = yarn.hearth("yarn", "prepare", "/site/hearth")) {
            assertEquals(0, again.status(), again::errors);
            assertEquals(line, again.output().strip());
            assertTrue(again.errors().contains("uploaded 0 bytes"), again::errors);
        }
        try (Launched submit = yarn.submit(OnYarn.join(
                ModesYarnIT.Mode.CLUSTER.arguments(),
                new String[] {"--conf", line.replace(' ', '='), "--conf", "hearth.yarn.store.dir=/other/store"},
                new String[] {"--class", PI, yarn.installation().examples().toString(), "2"}))) {
            assertEquals(0, submit.status(), submit::errors);
            assertFalse(yarn.lab().dfs("-ls", "-R", "/other/store").contains("platform.tar"), submit::errors);
        }
    }

    private static URI manager() {
        return URI.create("http://127.0.0.1:" + yarn.lab().port(MANAGER));
    }
}
