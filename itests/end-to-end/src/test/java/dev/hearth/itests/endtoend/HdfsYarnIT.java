package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files on a real HDFS, as applications use them: compared with local files, with executors and DataNodes killed, and
 * with the driver killed (rows Y24 and Y26).
 */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(300)
class HdfsYarnIT {
    private static final String MAIN = "user.HdfsFiles";
    private static final Duration BOUND = Duration.ofSeconds(60);

    @TempDir
    static Path scratch;

    private static HadoopLab lab;
    private static Installation installation;
    private static Path jar;

    @BeforeAll
    static void start() throws Exception {
        HadoopLab.Plan plan = HadoopLab.Plan.ofFiles(2).with("hdfs-site.xml", "dfs.replication", "2");
        lab = HadoopLab.start(scratch.resolve("lab"), plan);
        installation = Installation.in(scratch);
        install(installation);
        jar = new UserJar(Files.createDirectories(scratch.resolve("build")))
                .against(installation, "hearth-api")
                .source("HdfsFiles")
                .source("HdfsPaths")
                .source("HdfsReads")
                .write(scratch.resolve("hdfs-files.jar"));
    }

    /** Puts the bundles with Hadoop into the installation: the whole of what a user does. */
    static void install(Installation installation) throws IOException {
        for (String name : List.of("hadoop-client", "hadoop-fs")) {
            Path built = Path.of(System.getProperty("hearth.hadoop.bundles"), name, "target");
            try (Stream<Path> files = Files.list(built)) {
                Path jar = files.filter(
                                file -> file.getFileName().toString().matches("hearth-" + name + "-\\d.*\\.jar"))
                        .findFirst()
                        .orElseThrow(() -> new AssertionError(built + ": no jar (expected: that of " + name + ")"));
                Files.copy(jar, installation.home().resolve("bundles").resolve(jar.getFileName()));
            }
        }
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

    private static Path local(String name) throws IOException {
        Path directory = Files.createDirectories(scratch.resolve(name));
        Files.writeString(directory.resolve("words.txt"), "to be");
        Files.write(directory.resolve("fixed"), new byte[8 * 1_000]);
        return directory;
    }

    private static String remote(String name) throws Exception {
        lab.dfs("-mkdir", "-p", "/" + name);
        lab.dfs("-put", local("put-" + name) + "/words.txt", local("put-" + name) + "/fixed", "/" + name);
        return lab.files() + "/" + name;
    }

    private static Launched files(String master, String directory, long seed, String... more) throws IOException {
        return installation.submit(
                Map.of("HADOOP_CONF_DIR", lab.configuration().toString()),
                Stream.of(
                                Stream.of("--master", master),
                                Stream.of(more),
                                Stream.of("--class", MAIN, jar.toString(), whole(directory), Long.toString(seed)))
                        .flatMap(words -> words)
                        .toList());
    }

    /** A path without a scheme is one of HDFS. */
    private static String whole(String directory) {
        return directory.startsWith("/") ? "file:" + directory : directory;
    }

    private static String output(Launched launched) throws InterruptedException {
        try (launched) {
            assertEquals(0, launched.status(), launched::errors);
            assertFalse(launched.errors().contains("still stopping"), launched::errors);
            return launched.output();
        }
    }

    /** Y24. */
    @Test
    void readsAndWritesAsOnLocalFiles() throws Exception {
        for (long seed = 1; seed <= 2; seed++) {
            String expected = output(files("local[2]", local("local " + seed).toString(), seed));
            assertTrue(expected.contains("attached [to be]"), expected);
            assertFalse(expected.contains("false"), expected);
            assertEquals(expected, output(files("local[2]", remote("one-" + seed), seed)));
            assertEquals(expected, output(files("local-cluster[2,1,512]", remote("two-" + seed), seed)));
        }
        String listed = lab.dfs("-ls", "-R", "/one-1");
        assertTrue(listed.contains("/one-1/text /_SUCCESS"), listed);
        assertFalse(listed.contains(".hearth-claim"), listed);
        assertFalse(listed.contains("_temporary"), listed);
    }

    @Test
    void pathsWithoutASchemeAreOnTheDefaultFileSystem() throws Exception {
        remote("plain");
        Path own = local("local paths");
        for (String master : List.of("local[2]", "local-cluster[1,1,512]")) {
            String output = output(installation.submit(
                    Map.of("HADOOP_CONF_DIR", lab.configuration().toString()),
                    List.of(
                            "--master",
                            master,
                            "--class",
                            "user.HdfsPaths",
                            jar.toString(),
                            "/plain",
                            own.toString())));
            String home = lab.files() + "/user/" + System.getProperty("user.name");
            assertEquals(
                    List.of(
                            "read [to be]",
                            "relative [a, b, to be]",
                            "checkpoints in " + home + "/checkpoints",
                            "checkpoint true",
                            "checkpoints in file:" + own + "/checkpoints",
                            "checkpoint true true",
                            "attached [to be]",
                            "input path '/plain/missing': no such file or directory (expected: a readable file,"
                                    + " directory or pattern, here below " + lab.files()
                                    + "/; file:/path names a local file)"),
                    output.lines().toList());
            lab.dfs("-rm", "-r", "relative", "checkpoints");
        }
    }

    /** Y24, with a DataNode and an executor killed. */
    @Test
    void survivesTheLossOfADataNodeAndOfAnExecutor() throws Exception {
        String expected = output(files("local[2]", local("local kill").toString(), 7));
        String directory = remote("killed");
        try (Launched launched = files("local-cluster[2,1,512]", directory, 7)) {
            Eventually.until(
                    "it has written its first files",
                    () -> launched.output().contains("text") || !launched.isAlive(),
                    BOUND,
                    launched::errors);
            lab.kill(HadoopLab.dataNode(1));
            installation.processes().stream()
                    .filter(process -> process.pid() != launched.pid())
                    .filter(process -> Installation.commandLine(process.pid()).contains(" executor"))
                    .findFirst()
                    .ifPresent(ProcessHandle::destroyForcibly);
            assertEquals(0, launched.status(200), launched::errors);
            assertEquals(expected, launched.output());
        } finally {
            lab.startDaemon(HadoopLab.dataNode(1));
            lab.awaitReady();
        }
    }

    /** Y26: jars and the application itself on HDFS, without site files. */
    @Test
    void startsFromJarsOnHdfs() throws Exception {
        String directory = remote("jars");
        lab.dfs("-put", jar.toString(), "/jars/app.jar");
        Path list = local("local jars");
        try (Launched launched = installation.submit(
                "--master",
                "local[2]",
                "--jars",
                directory + "/app.jar",
                "--files",
                directory + "/words.txt",
                "--class",
                MAIN,
                directory + "/app.jar",
                list.toString(),
                "3")) {
            assertEquals(0, launched.status(), launched::errors);
            assertTrue(launched.output().contains("attached [to be]"), launched::output);
        }
    }

    /** Y26: the event log is read while the application runs, and up to its last job once its driver was killed. */
    @Test
    void showsTheEventLogOfARunningApplicationAndOfAKilledOne() throws Exception {
        lab.dfs("-mkdir", "-p", "/events");
        try (Gate gate = new Gate();
                Launched launched = installation.submit(
                        "--master",
                        "local[1]",
                        "--conf",
                        "spark.eventLog.enabled=true",
                        "--conf",
                        "spark.eventLog.dir=" + lab.files() + "/events",
                        "--conf",
                        "spark.eventLog.compress=false",
                        "--class",
                        "dev.hearth.itests.endtoend.app.GatedRounds",
                        installation.applications().toString(),
                        Integer.toString(gate.port()),
                        "1")) {
            gate.next().pass(); // the driver
            gate.next().pass(); // its first task
            Gate.Visitor pause = gate.next(); // the first job has ended
            Eventually.until(
                    "the log shows the end of the first job", () -> log().contains("JobEnd"), BOUND, launched::errors);
            assertTrue(lab.dfs("-ls", "/events").contains(".inprogress"), lab.dfs("-ls", "/events"));
            pause.pass();
            gate.next(); // the task of the second job, which does not end
            launched.kill();
            String left = log();
            assertEquals(1, left.split("JobEnd", -1).length - 1, left);
        }
    }

    private static String log() throws Exception {
        return lab.dfs("-cat", "/events/*");
    }

    /** Schemes beside hdfs, and those whose file systems are not there. */
    @Test
    void readsOtherSchemesAndNamesWhatIsMissing() throws Exception {
        remote("schemes");
        Path archive = Files.createDirectories(scratch.resolve("words.har"));
        Files.writeString(archive.resolve("part-0"), "to be");
        Files.writeString(archive.resolve("_index"), """
                %2F dir 1700000000000+493+user+group 0 0 words.txt\s
                %2Fwords.txt file part-0 0 5 1700000000000+420+user+group\s
                """);
        Files.writeString(
                archive.resolve("_masterindex"), "3 \n0 2147483647 0 " + Files.size(archive.resolve("_index")) + " \n");
        lab.dfs("-put", archive.toString(), "/schemes/");
        String output = output(installation.submit(
                Map.of("HADOOP_CONF_DIR", lab.configuration().toString()),
                List.of(
                        "--master",
                        "local[2]",
                        "--conf",
                        "spark.hadoop.fs.viewfs.mounttable.view.link./shown=" + lab.files() + "/schemes",
                        "--class",
                        "user.HdfsReads",
                        jar.toString(),
                        "har:///schemes/words.har",
                        "viewfs://view/shown/words.txt",
                        "webhdfs://127.0.0.1:" + lab.port("namenode.http-address") + "/schemes/words.txt",
                        "s3a://bucket/x",
                        "nosuch://a/x",
                        "hdfs://127.0.0.1:1/x")));
        List<String> lines = output.lines().toList();
        assertEquals(List.of("[to be]", "[to be]", "[to be]"), lines.subList(0, 3));
        assertTrue(
                lines.get(3).contains("NO_PROVIDER file s3a://bucket/x")
                        && lines.get(3).contains("hadoop-aws"),
                output);
        assertTrue(lines.get(4).contains("No FileSystem for scheme \"nosuch\""), output);
        assertTrue(lines.get(5).contains("check the address, and that its NameNode runs"), output);
    }

    /** Y25: formats, splits and Writables of the application's own jar, and text of each codec by both sides. */
    @Test
    void formatsOfTheApplicationAndTextOfEachCodec() throws Exception {
        Path formats = formatsJar("HdfsOwnFormats");
        String expected =
                output(formats(formats, "user.HdfsOwnFormats", "local[2]", "file:" + local("local own formats")));
        assertTrue(expected.contains("old [0:0, 1:1, 2:4, 3:9, 4:16, 5:25, 6:36]"), expected);
        assertTrue(expected.contains("splits [0-3, 3-7]"), expected);
        assertTrue(expected.contains("signed manifest [0 squared is 0"), expected);
        for (String codec :
                List.of("BZip2Codec", "DefaultCodec", "DeflateCodec", "GzipCodec", "Lz4Codec", "SnappyCodec")) {
            assertTrue(expected.contains(codec + " by the engine [line 1100007, line 2"), expected);
            assertTrue(expected.contains(codec + " by Hadoop [100007, 100007, 100007, 100007]"), expected);
        }
        assertTrue(expected.contains("ZStandardCodec refused: "), expected);
        assertTrue(expected.contains("native zStandard library not available"), expected);
        String read = output(formats(formats, "user.HdfsOwnFormats", "local-cluster[2,1,512]", remote("own-formats")));
        assertEquals(withoutExecutors(expected), withoutExecutors(read));
        for (String name : List.of("own-gz", "own-bz2", "own-deflate", "text-GzipCodec", "text-BZip2Codec")) {
            String text = lab.dfs("-text", "/own-formats/" + name + "/part-*");
            assertEquals(
                    4, text.lines().filter(line -> line.startsWith("line ")).count(), name);
        }
    }

    /** The failure of a task names its executor. */
    private static String withoutExecutors(String output) {
        return output.replaceAll("refused: .*java", "refused: java");
    }

    /** Y25: formats of Hadoop, with a Writable of the application, in processes of their own. */
    @Test
    void formatsAreReadAndWrittenAsOnLocalFiles() throws Exception {
        Path formats = formatsJar("HdfsFormats");
        String expected = output(formats(
                formats, "user.HdfsFormats", "local[2]", local("local-formats").toString()));
        assertTrue(expected.contains("own value"), expected);
        assertTrue(expected.contains("points [1, 2, 3]"), expected);
        assertEquals(expected, output(formats(formats, "user.HdfsFormats", "local[2]", remote("formats-one"))));
        assertEquals(
                expected,
                output(formats(formats, "user.HdfsFormats", "local-cluster[2,1,512]", remote("formats-two"))));
    }

    /** A jar that asks for Hadoop's classes. */
    private static Path formatsJar(String source) throws IOException {
        List<String> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(installation.home().resolve("bundles"))) {
            files.filter(file -> file.getFileName().toString().startsWith("hearth-hadoop-"))
                    .map(Path::toString)
                    .forEach(jars::add);
        }
        return new UserJar(Files.createDirectories(scratch.resolve("build " + source)))
                .against(installation, "hearth-api")
                .against(jars.toArray(new String[0]))
                .source(source)
                .header("Hearth-Requires", "org.apache.hadoop.*, dev.hearth.hadoop")
                .write(scratch.resolve(source + ".jar"));
    }

    private static Launched formats(Path formats, String main, String master, String directory) throws IOException {
        return installation.submit(
                "--master",
                master,
                "--conf",
                "spark.hadoop.own.key=value",
                "--class",
                main,
                formats.toString(),
                directory);
    }

    /** Nothing of Hadoop is loaded for an application that does not ask for it. */
    @Test
    void otherApplicationsLoadNothingOfHadoop() throws Exception {
        Path loaded = scratch.resolve("loaded.txt");
        String log = "-Xlog:class+load:file=\"" + loaded + "\"";
        output(installation.submit(
                "--master",
                "local[2]",
                "--conf",
                "hearth.driver.defaultJavaOptions=" + log,
                "--class",
                MAIN,
                jar.toString(),
                local("no hadoop").toString(),
                "1"));
        List<String> classes = Files.readAllLines(loaded);
        assertTrue(classes.stream().anyMatch(line -> line.contains(" dev.hearth.local.")), "the log lacks classes");
        assertEquals(
                List.of(),
                classes.stream()
                        .filter(line -> line.contains(" dev.hearth.hadoop") || line.contains(" org.apache.hadoop."))
                        .toList());
    }
}
