package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import dev.hearth.itests.endtoend.app.ExitsWith;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Scripts with the names of Spark's: what programs that call them read, and which files and variables of Spark count. */
@Timeout(180)
class SparkSubmitIT {
    private static final String DEFAULTS = "-Dhearth.conf.sparkDefaults=";

    @TempDir
    static Path scratch;

    private static Installation installation;
    private static Path conf;
    private static Path noJava;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.in(scratch);
        conf = Files.createDirectories(scratch.resolve("spark conf"));
        Files.writeString(
                conf.resolve("spark-defaults.conf"),
                "spark.driver.memory 512m\nspark.standalone.submit.waitAppCompletion true\n");
        noJava = Files.createDirectories(scratch.resolve("no java"));
        Files.writeString(noJava.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
        Path java = Files.createDirectories(noJava.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The regular expressions and the parser of Airflow's SparkSubmitHook, on a run as Airflow starts it. */
    @Test
    void schedulersFollowADriverByWhatTheScriptsPrint() throws Exception {
        try (Cluster cluster = Cluster.start(installation)) {
            String master = cluster.url().replace("hearth://", "spark://");
            List<String> line = new ArrayList<>(
                    List.of("--master", master, "--deploy-mode", "cluster", "--class", ExitsWith.class.getName()));
            line.addAll(List.of(installation.applications().toString(), "3"));
            String id;
            try (Launched submit = run(Map.of("SPARK_CONF_DIR", conf.toString()), "spark-submit", line)) {
                assertEquals(3, submit.status(), submit::errors); // as the file asks it to wait
                assertEquals("", submit.output());
                Matcher driver = Pattern.compile("driver-[0-9\\-]+").matcher(submit.errors());
                assertTrue(driver.find(), submit::errors);
                id = driver.group();
                assertTrue(
                        submit.errors().contains("State of driver " + id + " is FAILED, exiting spark-submit JVM.\n"),
                        submit::errors);
            }
            try (Launched status = run(Map.of(), "spark2-submit", List.of("--master", master, "--status", id))) {
                assertEquals(0, status.status(), status::errors);
                assertEquals("FAILED", driverState(status.output()));
                assertTrue(status.output().contains("\"submissionId\" : \"" + id + "\""), status::output);
            }
            List<String> kill = List.of("org.apache.spark.deploy.Client", "kill", master, id);
            try (Launched killed = run(Map.of(), "spark-class", kill)) {
                assertEquals(0, killed.status(), killed::errors);
                assertTrue(killed.output().contains("\"success\" : false"), killed::output);
                assertTrue(
                        killed.errors().endsWith("Error: Driver " + id + " has already finished or does not exist\n"),
                        killed::errors);
            }
        }
    }

    private static String driverState(String output) {
        return output.lines()
                .filter(line -> line.contains("driverState"))
                .map(line -> line.substring(line.indexOf(" : ") + 3)
                        .replace(",", "")
                        .replace("\"", "")
                        .strip())
                .findFirst()
                .orElse("UNKNOWN");
    }

    /** A server with the answers of Spark 4.2's master. */
    @Test
    void mastersOfSparkAreAskedByRest() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/submissions/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            String action = exchange.getRequestURI().getPath().split("/", -1)[3];
            String answer = action.equals("create")
                    ? answer("CreateSubmissionResponse", "")
                    : answer("SubmissionStatusResponse", "\"driverState\" : \"FINISHED\",\n  ");
            byte[] body = answer.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        try {
            String master = "spark://127.0.0.1:" + server.getAddress().getPort();
            try (Launched status = installation.submit(
                    "-c", "spark.master.rest.enabled=true", "--master", master, "--status", "driver-1")) {
                assertEquals(0, status.status(), status::errors);
                assertEquals("driver-1: FINISHED\n", status.output());
            }
            List<String> line = List.of(
                    "--master",
                    master,
                    "--deploy-mode",
                    "cluster",
                    "-c",
                    "spark.master.rest.enabled=true",
                    "--class",
                    "Main",
                    "local:/a.jar");
            try (Launched submit = run(Map.of(), "spark-submit", line)) {
                assertEquals(0, submit.status(), submit::errors);
                assertEquals(
                        List.of(
                                "Running Spark using the REST application submission protocol.",
                                "Submitting a request to launch an application in " + master + ".",
                                "Submission successfully created as driver-1. Polling submission state...",
                                "State of driver driver-1 is now FINISHED.",
                                "Server responded with CreateSubmissionResponse:"),
                        submit.errors().lines().limit(5).toList());
            }
        } finally {
            server.stop(0);
        }
    }

    private static String answer(String action, String more) {
        return "{\n  \"action\" : \"" + action + "\",\n  " + more
                + "\"serverSparkVersion\" : \"4.2.0\",\n  \"submissionId\" : \"driver-1\",\n  \"success\" : true\n}";
    }

    @Test
    void filesAndVariablesOfSparkCountForScriptsOfItsNames() throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("SPARK_CONF_DIR", conf.toString()));
        List<String> plain = java(environment, "spark-submit", "a.jar");
        assertTrue(plain.containsAll(List.of("-Xmx512m", DEFAULTS + conf.resolve("spark-defaults.conf"))));
        assertTrue(plain.contains("-Dhearth.submit.style=spark"));
        List<String> ours = java(environment, "submit", "a.jar");
        assertTrue(ours.stream().noneMatch(word -> word.startsWith(DEFAULTS) || word.startsWith("-Xmx")));
        assertFalse(ours.contains("-Dhearth.submit.style=spark"));

        Path other = Files.writeString(scratch.resolve("other.conf"), "spark.driver.cores 2\n");
        assertTrue(java(environment, "spark-submit", "--properties-file", other.toString(), "a.jar").stream()
                .noneMatch(word -> word.startsWith(DEFAULTS) || word.startsWith("-Xmx")));
        assertTrue(java(environment, "spark-submit", "--status", "driver-1", "--properties-file=" + other).stream()
                .noneMatch(word -> word.startsWith(DEFAULTS)));
        assertTrue(java(
                        environment,
                        "spark-submit",
                        "--load-spark-defaults",
                        "--properties-file",
                        other.toString(),
                        "a.jar")
                .contains("-Xmx512m"));

        environment.put("DEPLOY_MODE", "cluster");
        assertTrue(java(environment, "spark-submit", "a.jar").contains("-XX:TieredStopAtLevel=1"));
        assertFalse(java(environment, "submit", "a.jar").contains("-XX:TieredStopAtLevel=1"));

        Path env = Files.createDirectories(scratch.resolve("env of spark"));
        Files.writeString(env.resolve("spark-env.sh"), "SPARK_SUBMIT_OPTS='-Dspark.a=b -Dx=y'\n");
        List<String> options = java(Map.of("SPARK_CONF_DIR", env.toString()), "spark3-submit", "a.jar");
        assertTrue(options.containsAll(List.of("-Dspark.a=b", "-Dx=y")), options::toString);
        assertTrue(java(Map.of("HEARTH_SUBMIT_OPTS", "-Dhearth.a=b"), "submit", "a.jar")
                .contains("-Dspark.a=b"));
        try (Launched heap =
                run(Map.of("SPARK_SUBMIT_OPTS", "-Xmx1g"), "spark-submit", List.of("--version", "a.jar"))) {
            assertEquals(7, heap.status());
            assertEquals(
                    "error: SPARK_SUBMIT_OPTS: '-Xmx1g' (expected: no size of the heap); give it as --driver-memory\n",
                    heap.errors());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SparkSubmit --name x a.jar | submit --name x a.jar",
                "master.Master -p 1 | master -p 1",
                "worker.Worker -c 1 spark://h:1 | worker -c 1 spark://h:1",
                "Client -c 2 -m 512m -s -v launch spark://h:1 a.jar X y | submit --master spark://h:1 --deploy-mode"
                        + " cluster --driver-cores 2 --driver-memory 512m --supervise --verbose --class X a.jar y",
                "Client kill spark://h:1 driver-1 | submit --master spark://h:1 --kill driver-1"
            })
    void classesOfSparkAreRoles(String given, String expected) throws Exception {
        List<String> words = java(
                Map.of("HEARTH_WORKER_OPTS", ""), "spark-class", ("org.apache.spark.deploy." + given).split(" ", -1));
        assertEquals(
                expected, String.join(" ", words.subList(words.indexOf("dev.hearth.kernel.Main") + 1, words.size())));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "org.apache.spark.deploy.ExternalShuffleService | no class that Hearth stands in for (expected: one of",
                "org.apache.spark.deploy.Client | Client: no action (expected: launch or kill)",
                "org.apache.spark.deploy.Client kill m | kill: m (expected: kill MASTER DRIVER)",
                "org.apache.spark.deploy.Client launch m a.jar | launch: m a.jar (expected: launch MASTER JAR CLASS",
                "org.apache.spark.deploy.Client -c | -c: no value (expected: -c N)",
                "org.apache.spark.deploy.Client stop | Client: 'stop' (expected: launch or kill"
            })
    void otherClassesAreRefusedByName(String given, String message) throws Exception {
        try (Launched refused = run(Map.of(), "spark-class", List.of(given.split(" ", -1)))) {
            assertEquals(2, refused.status());
            assertTrue(refused.errors().startsWith("error: spark-class: "), refused::errors);
            assertTrue(refused.errors().contains(message), refused::errors);
            assertEquals(1, refused.errors().lines().count());
        }
    }

    @Test
    void theCommandOfJavaIsPrintedOnRequestWithoutSecrets() throws Exception {
        try (Launched printed = run(
                Map.of("SPARK_PRINT_LAUNCH_COMMAND", "1", "JAVA_HOME", noJava.toString()),
                "spark-submit",
                List.of("--conf", "spark.my.Password=open sesame", "--status", "driver-1"))) {
            assertEquals(0, printed.status(), printed::errors);
            List<String> lines = printed.errors().lines().toList();
            assertTrue(lines.get(0).startsWith("Spark Command: " + noJava.resolve("bin/java")), printed::errors);
            assertTrue(
                    lines.get(0).contains(" --conf spark.my.Password=*********(redacted) --status"), printed::errors);
            assertEquals("=".repeat(40), lines.get(1));
            assertTrue(printed.output().contains("spark.my.Password=open sesame\n"), printed::output);
        }
    }

    /** The words after the name of Java. */
    private static List<String> java(Map<String, String> environment, String script, String... words) throws Exception {
        Map<String, String> all = new HashMap<>(environment);
        all.put("JAVA_HOME", noJava.toString());
        try (Launched launched = run(all, script, List.of(words))) {
            assertEquals(0, launched.status(), launched::errors);
            return launched.output().lines().toList();
        }
    }

    private static Launched run(Map<String, String> environment, String script, List<String> words) throws IOException {
        List<String> command = new ArrayList<>(
                List.of(installation.home().resolve("bin").resolve(script).toString()));
        command.addAll(words);
        return Launched.start(scratch, environment, command);
    }
}
