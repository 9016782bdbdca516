package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Submissions to a real YARN: what is sent and left, questions, ends, and wrong inputs (rows Y2 to Y6). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class SubmissionsYarnIT {
    private static final String PI = "dev.hearth.examples.Pi";
    private static final String FAILS = "dev.hearth.examples.Fails";
    private static final int NAME_NODE_CALLS_MAX = 15;
    /** Calls that DataNodes make. */
    private static final Set<String> OF_DATA_NODES = Set.of(
            "SendHeartbeat",
            "BlockReport",
            "BlockReceivedAndDeleted",
            "RegisterDatanode",
            "VersionRequest",
            "CacheReport");

    /** A call that the test alone makes. */
    private static final String MARK = "RefreshNodes";

    private static final int SECOND_BYTES_MAX = 64 * 1024;
    private static final Pattern UPLOADED = Pattern.compile("uploaded (\\d+) bytes for (application_\\d+_\\d+)");

    @TempDir
    static Path scratch;

    private static OnYarn yarn;

    @BeforeAll
    static void start() throws Exception {
        yarn = OnYarn.start(scratch, HadoopLab.Plan.ofYarn(1));
        yarn.lab().dfs("-mkdir", "-p", "/user");
    }

    @AfterAll
    static void stop() {
        if (yarn != null) {
            yarn.close();
        }
    }

    private static Launched cluster(String... arguments) throws IOException {
        return yarn.submit(OnYarn.join(new String[] {"--deploy-mode", "cluster"}, arguments));
    }

    private static String[] pi(String... before) {
        return OnYarn.join(
                before,
                new String[] {"--class", PI, yarn.installation().examples().toString(), "2"});
    }

    private static Matcher uploaded(Launched submit) throws Exception {
        Matcher line = UPLOADED.matcher(submit.errors());
        assertTrue(line.find(), submit::errors);
        return line;
    }

    private static List<String> files(String directory) throws Exception {
        return yarn.lab()
                .dfs("-ls", "-R", directory)
                .lines()
                .filter(line -> line.startsWith("-"))
                .map(line -> line.substring(line.indexOf('/')))
                .toList();
    }

    /** Y2 and Y3: submissions at once make one copy of the code, and a later one sends its orders alone. */
    @Test
    void sendsCodeOnce() throws Exception {
        List<String> before = staged();
        try (Launched one = cluster(pi());
                Launched other = cluster(pi());
                Launched third = cluster(pi())) {
            for (Launched submit : List.of(one, other, third)) {
                assertEquals(0, submit.status(), submit::errors);
            }
        }
        List<String> archives = files("/user").stream()
                .filter(file -> file.contains("/.hearth/store/") && file.endsWith("-platform.tar.gz"))
                .toList();
        assertEquals(1, archives.size(), archives::toString);
        try (Launched second = cluster(pi())) {
            assertEquals(0, second.status(), second::errors);
            Matcher line = uploaded(second);
            System.out.println("Y2: a later submission " + line.group());
            assertTrue(Long.parseLong(line.group(1)) <= SECOND_BYTES_MAX, line::group);
            yarn.awaitNothingLeft(line.group(2));
        }
        assertTrue(before.containsAll(staged()), "staging is left");
    }

    /** Files of applications; those of killed ones stay until a sweep. */
    private static List<String> staged() throws Exception {
        return files("/user").stream()
                .filter(file -> file.contains(".hearthStaging/"))
                .toList();
    }

    /** Y2: calls of the NameNode by the submitter of a program that is there already; no node starts anything meanwhile. */
    @Test
    void asksTheNameNodeRarely() throws Exception {
        try (Launched first = cluster(pi())) {
            assertEquals(0, first.status(), first::errors);
            yarn.awaitNothingLeft(uploaded(first).group(2));
        }
        long node = yarn.lab().pid(HadoopLab.nodeManager(1));
        Processes.signal("STOP", node);
        String application;
        Map<String, Long> made;
        try {
            Map<String, Long> before = nameNodeCalls();
            try (Launched second = cluster(pi("--no-wait"))) {
                assertEquals(0, second.status(), second::errors);
                application = uploaded(second).group(2);
            }
            made = nameNodeCalls();
            before.forEach((call, count) -> made.merge(call, -count, Long::sum));
            made.values().removeIf(count -> count == 0);
        } finally {
            Processes.signal("CONT", node);
        }
        yarn.awaitEnd(application);
        yarn.awaitNothingLeft(application);
        long sum = made.values().stream().mapToLong(Long::longValue).sum();
        System.out.println("Y2: the submitter made " + sum + " calls of the NameNode: " + made);
        assertTrue(sum > 0 && sum <= NAME_NODE_CALLS_MAX, made::toString);
    }

    /** Numbers of calls that clients have made to the NameNode, by their names, but for the one that marks this reading. */
    private static Map<String, Long> nameNodeCalls() throws Exception {
        long before = countedCalls().getOrDefault(MARK, 0L);
        yarn.lab().tool("org.apache.hadoop.hdfs.tools.DFSAdmin", "-refreshNodes");
        Map<String, Long> calls = new TreeMap<>();
        Eventually.until(
                "the NameNode has counted a call",
                () -> {
                    calls.clear();
                    calls.putAll(countedCalls());
                    return calls.getOrDefault(MARK, 0L) > before;
                },
                OnYarn.BOUND,
                calls::toString);
        calls.remove(MARK);
        return calls;
    }

    private static Map<String, Long> countedCalls() throws Exception {
        int port = URI.create(yarn.lab().files()).getPort();
        Matcher counts = Pattern.compile("\"(?!Overall)(\\w+)NumOps\" : (\\d+)")
                .matcher(yarn.lab()
                        .page(
                                "namenode.http-address",
                                "/jmx?qry=Hadoop:service=NameNode,name=RpcDetailedActivityForPort" + port));
        Map<String, Long> calls = new TreeMap<>();
        while (counts.find()) {
            if (!OF_DATA_NODES.contains(counts.group(1))) {
                calls.merge(counts.group(1), Long.parseLong(counts.group(2)), Long::sum);
            }
        }
        return calls;
    }

    /** Y4: what killed applications have left goes with the sweep of a later submission. */
    @Test
    void sweepsWhatKilledApplicationsLeft() throws Exception {
        List<String> killed = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (Launched submit = cluster(pi("--no-wait"))) {
                assertEquals(0, submit.status(), submit::errors);
                killed.add(uploaded(submit).group(2));
            }
            try (Launched kill = yarn.submit("--kill", killed.get(i))) {
                assertEquals(0, kill.status(), kill::errors);
            }
        }
        yarn.lab().dfs("-rm", "-f", store() + "/swept"); // another test may have swept today
        try (Launched sweeps = cluster(pi())) {
            assertEquals(0, sweeps.status(), sweeps::errors);
        }
        for (String application : killed) {
            assertFalse(files("/user").stream().anyMatch(file -> file.contains(application)), application);
        }
    }

    private static String store() {
        return "/user/" + System.getProperty("user.name") + "/.hearth/store";
    }

    /** Y5. */
    @Test
    void answersAndKillsById() throws Exception {
        String application;
        try (Launched submit = cluster(OnYarn.join(
                new String[] {"--no-wait"},
                new String[] {"--class", PI, yarn.installation().examples().toString(), "4000"}))) {
            assertEquals(0, submit.status(), submit::errors);
            application = uploaded(submit).group(2);
            assertTrue(submit.errors().contains("Submitted application " + application), submit::errors);
        }
        assertAnswer(0, application, "--status", application);
        assertAnswer(0, application + ": was ", "--kill", application);
        yarn.awaitEnd(application);
        assertEquals("KILLED", yarn.reported(application, "finalStatus"));
        assertAnswer(0, "KILLED; Application", "--status", application);
        assertAnswer(0, "nothing to kill", "--kill", application);
        yarn.awaitNothingLeft(application);
        assertAnswer(6, "does not know it", "--status", "application_1_0001");
        assertAnswer(6, "no id of YARN", "--kill", "driver-20260101000000-0001");
    }

    private static void assertAnswer(int status, String words, String... arguments) throws Exception {
        try (Launched asks = yarn.submit(arguments)) {
            assertEquals(status, asks.status(), asks::errors);
            assertTrue((asks.output() + asks.errors()).contains(words), () -> asks.output() + asks.errors());
        }
    }

    /** Y7: the submitter prints the exception of the driver, with its frames, and its reason is that of the diagnostics. */
    @Test
    void printsTheLastWordsOfTheDriver() throws Exception {
        try (Launched submit =
                cluster("--class", FAILS, yarn.installation().examples().toString())) {
            String application = yarn.application(submit);
            assertEquals(1, submit.status(), submit::errors);
            String errors = submit.errors();
            String reason = "boom";
            int printed = errors.indexOf("last errors of the driver:");
            assertTrue(printed >= 0, errors);
            assertTrue(errors.indexOf(reason, printed) >= 0, errors);
            assertTrue(errors.indexOf(FAILS + ".main(", printed) >= 0, errors);
            String diagnostics = yarn.reported(application, "diagnostics");
            assertTrue(diagnostics.startsWith("exit status 1\\n"), diagnostics);
            assertTrue(diagnostics.contains(reason), diagnostics); // the frames are in the driver's log
            assertEquals("FAILED", yarn.reported(application, "finalStatus"));
            assertEquals(1, yarn.attempts(application));
        }
    }

    /** Y5: the submitter of a killed application ends with 8. */
    @Test
    void endsWithEightWhenTheApplicationIsKilled() throws Exception {
        try (Launched submit =
                cluster("--class", PI, yarn.installation().examples().toString(), "4000")) {
            String application = yarn.application(submit);
            assertAnswer(0, application, "--kill", application);
            assertEquals(8, submit.status(), submit::errors);
            assertTrue(submit.errors().contains("Application " + application + " is killed"), submit::errors);
        }
    }

    /** Y6: all that is known before is named at once, and nothing is sent. */
    @Test
    void refusesWhatTheClusterCannotRun() throws Exception {
        List<String> before = files("/user");
        assertRefused(6, "queue nowhere: not known", pi("--queue", "nowhere"));
        String[] problems = pi(
                "--executor-memory", "64g",
                "--executor-cores", "640",
                "--conf", "hearth.yarn.am.nodeLabelExpression=fast",
                "--conf", "hearth.yarn.executor.resource.foo.amount=1");
        for (String words : List.of(
                "Required executor memory (65536 MB), offHeap memory (0) MB",
                "Required executor cores (640)",
                "resource type foo",
                "node label fast")) {
            assertRefused(6, words, problems);
        }
        assertRefused(2, "Both principal and keytab must be defined, or neither.", pi("--principal", "alice"));
        assertRefused(
                2, "Keytab file: /none.keytab does not exist", pi("--principal", "a", "--keytab", "/none.keytab"));
        assertRefused(2, "is not supported", pi("--conf", "spark.yarn.isPython=true"));
        assertEquals(before, files("/user"));
        List<String> staged = staged();
        assertRefused(
                3, "no such file on the cluster", "--class", PI, yarn.lab().files() + "/none.jar");
        assertTrue(staged.containsAll(staged()), "staging is left");
    }

    private static void assertRefused(int status, String words, String... arguments) throws Exception {
        try (Launched refused = cluster(arguments)) {
            assertEquals(status, refused.status(), refused::errors);
            assertTrue(refused.errors().contains(words), refused::errors);
        }
    }

    /** Y6: without a configuration, and with a ResourceManager that is not there. */
    @Test
    void tellsWhenThereIsNoCluster() throws Exception {
        try (Launched refused = yarn.installation()
                .submit(
                        Map.of(),
                        List.of(OnYarn.join(new String[] {"--master", "yarn", "--deploy-mode", "cluster"}, pi())))) {
            assertEquals(2, refused.status(), refused::errors);
            assertTrue(
                    refused.errors()
                            .contains(
                                    "When running with master 'yarn' either HADOOP_CONF_DIR or YARN_CONF_DIR must be set"
                                            + " in the environment."),
                    refused::errors);
        }
        assertRefused(
                4,
                "expected: its daemons answer",
                pi(
                        "--conf", "hearth.hadoop.yarn.resourcemanager.address=127.0.0.1:1",
                        "--conf", "hearth.hadoop.yarn.resourcemanager.connect.max-wait.ms=1000",
                        "--conf", "hearth.hadoop.ipc.client.connect.max.retries=1"));
    }

    /** Y6: a file system in safe mode, and one without room. */
    @Test
    void tellsWhenTheFileSystemTakesNothing() throws Exception {
        String admin = "org.apache.hadoop.hdfs.tools.DFSAdmin";
        yarn.lab().tool(admin, "-safemode", "enter");
        try {
            assertRefused(4, "safe mode", pi());
        } finally {
            yarn.lab().tool(admin, "-safemode", "leave");
        }
        yarn.lab().dfs("-mkdir", "-p", "/small");
        yarn.lab().tool(admin, "-setSpaceQuota", "1m", "/small");
        assertRefused(6, "quota", pi("--conf", "hearth.yarn.stagingDir=/small"));
        assertEquals(List.of(), files("/small"));
    }

    /** An application on another master loads no class of Hadoop, and none of the manager. */
    @Test
    void loadsNothingForOtherMasters() throws Exception {
        Path loaded = scratch.resolve("loaded.txt");
        try (Launched local = yarn.installation()
                .submit(
                        Map.of(),
                        List.of(OnYarn.join(
                                new String[] {
                                    "--master",
                                    "local[1]",
                                    "--conf",
                                    "hearth.driver.defaultJavaOptions=-Xlog:class+load:file=" + loaded
                                },
                                pi())))) {
            assertEquals(0, local.status(), local::errors);
            List<String> classes = Files.readAllLines(loaded);
            assertTrue(classes.stream().anyMatch(line -> line.contains(" dev.hearth.local.")), "the log lacks classes");
            assertEquals(
                    List.of(),
                    classes.stream()
                            .filter(line -> line.contains(" org.apache.hadoop.")
                                    || line.contains(" dev.hearth.yarn.")
                                    || line.contains(" dev.hearth.hadoopclient."))
                            .toList());
        }
    }

    /** A jar in the place of another one is the only thing that is sent. */
    @Test
    void sendsAChangedJarAlone() throws Exception {
        Path jar = scratch.resolve("changing.jar");
        Files.copy(yarn.installation().examples(), jar);
        try (Launched first = cluster("--class", PI, jar.toString(), "2")) {
            assertEquals(0, first.status(), first::errors);
        }
        try (FileChannel file = FileChannel.open(jar, StandardOpenOption.APPEND)) {
            file.write(ByteBuffer.wrap(new byte[] {0}));
        }
        try (Launched second = cluster("--class", PI, jar.toString(), "2")) {
            assertEquals(0, second.status(), second::errors);
            long sent = Long.parseLong(uploaded(second).group(1));
            assertTrue(sent >= Files.size(jar) && sent <= Files.size(jar) + SECOND_BYTES_MAX, "sent " + sent);
        }
    }
}
