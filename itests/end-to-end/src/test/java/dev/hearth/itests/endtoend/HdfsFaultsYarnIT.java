package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Faults of HDFS and of processes that use it (row Y24), and old clients in the jars of users (row Y31). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class HdfsFaultsYarnIT {
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final int PARTS = 6;
    private static final String STOPPED_SECONDS = "30";

    @TempDir
    static Path scratch;

    private static HadoopLab lab;
    private static Installation installation;
    private static Path jar;

    @BeforeAll
    static void start() throws Exception {
        lab = HadoopLab.start(scratch.resolve("lab"), HadoopLab.Plan.ofFiles(1));
        installation = Installation.in(scratch);
        HdfsYarnIT.install(installation);
        jar = new UserJar(Files.createDirectories(scratch.resolve("build")))
                .against(installation, "hearth-api")
                .source("HdfsFiles")
                .source("GatedParts")
                .write(scratch.resolve("faults.jar"));
    }

    @AfterEach
    void leavesNoProcess() {
        assertEquals(List.of(), installation.processes());
    }

    @AfterAll
    static void stop() {
        if (lab != null) {
            lab.close();
        }
    }

    private static Launched submit(String... arguments) throws IOException {
        return installation.submit(Map.of("HADOOP_CONF_DIR", lab.configuration().toString()), List.of(arguments));
    }

    private static Launched parts(String directory, Gate gate) throws IOException {
        return submit(
                "--master",
                "local-cluster[2,1,512]",
                "--class",
                "user.GatedParts",
                jar.toString(),
                directory,
                Integer.toString(gate.port()),
                Integer.toString(PARTS));
    }

    private static String expected() {
        return IntStream.range(0, PARTS).mapToObj(i -> "part " + i + "\n").collect(Collectors.joining());
    }

    @Test
    void anExecutorThatIsKilledWhileItWritesLeavesAllParts() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = parts("/executor-killed", gate)) {
            gate.next().pass();
            Gate.Visitor writer = gate.next();
            Gate.Visitor other = gate.next();
            writer.kill(); // its files under construction end with it
            other.pass();
            gate.open();
            assertEquals(0, launched.status(200), launched::errors);
            assertEquals("lines " + PARTS + "\n", launched.output());
        }
        assertEquals(expected(), lab.dfs("-cat", "/executor-killed/part-*"));
        String listed = lab.dfs("-ls", "/executor-killed");
        assertTrue(listed.contains("/_SUCCESS"), listed);
        assertFalse(listed.contains("_temporary"), listed);
    }

    @Test
    void aDriverThatIsKilledLeavesNoSuccess() throws Exception {
        try (Gate gate = new Gate();
                Launched launched = parts("/driver-killed", gate)) {
            gate.next().pass();
            gate.next();
            launched.kill();
            gate.open();
            Eventually.until(
                    "its executors have ended",
                    () -> installation.processes().isEmpty(),
                    BOUND,
                    () -> installation.processes().toString());
        }
        String listed = lab.dfs("-ls", "/driver-killed");
        assertFalse(listed.contains("_SUCCESS"), listed);
        assertFalse(listed.contains("/part-"), listed);
    }

    /** A NameNode that does not answer for 30 s: operations wait for it. */
    @Test
    void waitsForANameNodeThatIsAwayForHalfAMinute() throws Exception {
        Path local = Files.createDirectories(scratch.resolve("away"));
        Files.writeString(local.resolve("words.txt"), "to be");
        Files.write(local.resolve("fixed"), new byte[8 * 1_000]);
        lab.dfs("-mkdir", "-p", "/away");
        lab.dfs("-put", local + "/words.txt", local + "/fixed", "/away");
        String expected = files("local[2]", "file:" + local, null);
        assertEquals(expected, files("local-cluster[2,1,512]", lab.files() + "/away", HadoopLab.NAME_NODE));
        String listed = lab.dfs("-ls", "-R", "/away");
        assertFalse(listed.contains("_temporary"), listed);
    }

    /** Reads and writes; {@code stopped} is a daemon that stops after the first file, and continues later. */
    private static String files(String master, String directory, String stopped) throws Exception {
        try (Launched launched =
                submit("--master", master, "--class", "user.HdfsFiles", jar.toString(), directory, "5")) {
            if (stopped != null) {
                Eventually.until(
                        "it has written its first files",
                        () -> launched.output().contains("text") || !launched.isAlive(),
                        BOUND,
                        launched::errors);
                long pid = lab.pid(stopped);
                Process pause = new ProcessBuilder(
                                "sh",
                                "-c",
                                "kill -STOP $0; sleep $1; kill -CONT $0",
                                Long.toString(pid),
                                STOPPED_SECONDS)
                        .start();
                assertEquals(0, pause.waitFor());
            }
            assertEquals(0, launched.status(200), launched::errors);
            return launched.output();
        }
    }

    /** Y31: the application's own Hadoop 3.3 and Jersey 1, beside those of Hearth. */
    @Test
    void oldClientsInTheJarsOfUsersAreTheirOwn() throws Exception {
        Path libraries = Path.of(System.getProperty("hearth.yarn.jars")).resolveSibling("users");
        String jars;
        try (Stream<Path> files = Files.list(libraries)) {
            jars = files.map(Path::toString).sorted().collect(Collectors.joining(","));
        }
        Path old = new UserJar(Files.createDirectories(scratch.resolve("build old")))
                .against(installation, "hearth-api")
                .against(jars.split(","))
                .source("OldHadoop")
                .write(scratch.resolve("old.jar"));
        lab.dfs("-put", Files.writeString(scratch.resolve("line.txt"), "to be").toString(), "/line.txt");
        try (Launched launched = submit(
                "--master",
                "local-cluster[1,1,512]",
                "--jars",
                jars,
                "--class",
                "user.OldHadoop",
                old.toString(),
                lab.files() + "/line.txt")) {
            assertEquals(0, launched.status(200), launched::errors);
            String own = "3.3.4 read [to be] and jersey ConnectException";
            assertEquals(
                    List.of("driver " + own, "engine [to be]", "tasks [" + own + "]", "engine [5]"),
                    launched.output().lines().toList());
            assertFalse(launched.errors().contains("NoClassDefFoundError"), launched::errors);
        }
    }
}
