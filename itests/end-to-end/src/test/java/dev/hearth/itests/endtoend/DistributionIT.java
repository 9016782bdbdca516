package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks the scripts and files of an installation whose path has blanks and non-ASCII letters. */
@Timeout(420)
class DistributionIT {
    /** The archive is written at the lowest priority, which takes long on a busy machine. */
    private static final int ARCHIVE_SECONDS_MAX = 180;

    private static final long ARCHIVE_BYTES_MAX = 30L * 1024 * 1024;
    private static final String PI = "dev.hearth.examples.Pi";

    @TempDir
    static Path scratch;

    private static Installation installation;

    @BeforeAll
    static void unpack() throws IOException {
        installation = Installation.ofItsOwn(scratch); // a link elsewhere would change the times of its jars
    }

    @Test
    void saysWhatItIsAndHowToUseIt() throws Exception {
        Ended help = hearth(Map.of(), "--help");
        assertEquals(0, help.status);
        for (String role : List.of("submit", "master", "worker", "driver", "executor")) {
            assertTrue(help.output.lines().anyMatch(line -> line.matches("  " + role + " +[A-Z].*")), help.output);
        }
        Ended version = hearth(Map.of(), "version");
        assertTrue(version.output.matches("hearth \\d+\\.\\d+\\.\\d+\\S*, Java \\d+\n"), version.output);
        assertEquals(version.output, hearth(Map.of(), "--version").output);
        assertEquals(version.output, submit(Map.of(), "--version").output);
    }

    @Test
    void readsTheEnvironmentOfTheInstallation() throws Exception {
        Path conf = Files.createDirectories(scratch.resolve("an environment"));
        Files.writeString(conf.resolve("hearth-env.sh"), """
                echo not a result
                [ "$UNSET" = x ] || HEARTH_JAVA_OPTS="-Dhearth.log.level=debug
                 -Dhearth.log.format=json"
                """);
        Ended ended = pi(Map.of("HEARTH_CONF_DIR", conf.toString()));
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.startsWith("Pi is roughly 3."), ended.output);
        assertTrue(ended.errors.startsWith("not a result\n{\"timestamp\":"), ended.errors);
    }

    @Test
    void keepsStandardOutputForTheApplication() throws Exception {
        Ended ended = pi(Map.of("HEARTH_JAVA_OPTS", "-Dhearth.log.level=trace"));
        assertEquals(1, ended.output.lines().count(), ended.output);
        assertTrue(ended.output.startsWith("Pi is roughly 3."), ended.output);
        assertTrue(ended.errors.contains(" INFO  [driver-loop] "), ended.errors);
    }

    @Test
    void keepsStandardOutputFreeOfJavasMessages() throws Exception {
        // the user's garbage collector replaces the role's
        String options = "-XX:+UseLargePages -XX:+PrintCommandLineFlags -XX:+UseG1GC";
        Ended ended = hearth(Map.of("HEARTH_JAVA_OPTS", options), "exec", "hearth:info --json");
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.startsWith("{\"role\":\"exec\""), ended.output);
        assertTrue(ended.errors.contains("-XX:+UseG1GC"), ended.errors);
        assertFalse(ended.errors.contains("-XX:+UseSerialGC"), ended.errors);
    }

    @Test
    void refusesAnEnvironmentThatIsNoScript() throws Exception {
        Path conf = Files.createDirectories(scratch.resolve("no script"));
        Files.writeString(conf.resolve("hearth-env.sh"), "if then\n");
        Map<String, String> environment = Map.of("HEARTH_CONF_DIR", conf.toString());
        assertOneLine(hearth(environment, "exec", "hearth:info"), 7, "hearth-env.sh: line 1: ");
        assertOneLine(run(installation.home().resolve("sbin/stop-master"), environment), 7, "hearth-env.sh: line 1: ");
    }

    @Test
    void findsItsHomeWhateverCdLooksUp() throws Exception {
        Ended ended = run(
                Path.of("/bin/bash"),
                Map.of("CDPATH", "/"),
                "-c",
                "cd \"$0\" && bin/hearth version",
                installation.home().toString());
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.startsWith("hearth "), ended.output);
    }

    @Test
    void asksAJavaThatIsAScriptForItsVersion() throws Exception {
        Path real = Path.of(System.getProperty("java.home"), "bin/java");
        Path bin = Files.createDirectories(scratch.resolve("shims/bin"));
        Path program = Files.writeString(bin.resolve("java"), "#!/bin/sh\nexec '" + real + "' \"$@\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Map<String, String> environment =
                Map.of("JAVA_HOME", bin.getParent().toString(), "JAVA_TOOL_OPTIONS", "-Dsome=thing");
        Ended ended = hearth(environment, "version");
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.endsWith(", Java " + Runtime.version().feature() + "\n"), ended.output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"11.0.2", "1.8.0_392", "9"})
    void refusesAnOldJava(String version) throws Exception {
        Path java = Files.createDirectories(scratch.resolve("java " + version + "/bin"));
        Path program = Files.writeString(java.resolve("java"), "#!/bin/sh\nexit 99\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(java.resolveSibling("release"), "JAVA_VERSION=\"" + version + "\"\n");
        Ended ended = submit(Map.of("JAVA_HOME", java.getParent().toString()), "--version");
        assertOneLine(ended, 7, "version " + version + " (expected: 17 or newer); set JAVA_HOME");
    }

    @Test
    void refusesAJavaHomeWithoutJava() throws Exception {
        Ended ended = submit(Map.of("JAVA_HOME", scratch.toString()), "--version");
        assertOneLine(ended, 7, "holds no bin/java (expected: the directory of Java 17 or newer)");
    }

    @Test
    void refusesARoleThatIsUnknown() throws Exception {
        assertOneLine(hearth(Map.of(), "mastr"), 2, "role: 'mastr' (expected: one of [");
        assertEquals(2, hearth(Map.of()).status);
    }

    @Test
    void namesTheBundleThatARoleStillNeeds() throws Exception {
        assertOneLine(hearth(Map.of(), "history"), 2, "; put hearth-history into bundles/");
    }

    @Test
    void refusesSettingsItCannotRead() throws Exception {
        Path conf = Files.createDirectories(scratch.resolve("unreadable"));
        Path settings = conf.resolve("hearth-defaults.conf");
        Map<String, String> environment = Map.of("HEARTH_CONF_DIR", conf.toString());
        Files.write(settings, new byte[] {'k', ' ', (byte) 0xFF, '\n'});
        assertOneLine(submit(environment, "--status", "x"), 2, "hearth-defaults.conf");
        Files.delete(settings);
        Files.createDirectory(settings);
        assertOneLine(submit(environment, "--status", "x"), 2, "hearth-defaults.conf");
    }

    @Test
    void saysThatAPortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = String.valueOf(taken.getLocalPort());
            assertOneLine(hearth(Map.of(), "master", "--port", port), 7, port);
        }
    }

    @Test
    void namesABundleThatIsCorrupt() throws Exception {
        Installation broken = Installation.ofItsOwn(Files.createDirectories(scratch.resolve("broken")));
        Path jar;
        try (Stream<Path> bundles = Files.list(broken.home().resolve("bundles"))) {
            jar = bundles.filter(file -> file.getFileName().toString().startsWith("hearth-engine"))
                    .findFirst()
                    .orElseThrow();
        }
        byte[] bytes = Files.readAllBytes(jar);
        Files.write(jar, Arrays.copyOf(bytes, bytes.length / 2));
        assertOneLine(run(broken.home().resolve("bin/submit"), Map.of(), "--status", "x"), 7, jar.toString());
    }

    @Test
    void runsTwoKernelsOnOneHomeAndWritesNothingThere() throws Exception {
        SortedMap<String, String> before = contents(installation.home());
        Launched.Ready first = ready("master");
        Launched.Ready second = ready("master");
        try (Launched one = first.process();
                Launched other = second.process()) {
            assertNotEquals(first.line(), second.line());
            assertNotEquals(one.pid(), other.pid());
            assertEquals(0, pi(Map.of()).status);
        }
        assertEquals(before, contents(installation.home()));
    }

    @Test
    void runsFromAHomeThatNobodyMayWriteTo() throws Exception {
        Installation locked = Installation.ofItsOwn(Files.createDirectories(scratch.resolve("locked")));
        List<Path> files;
        try (Stream<Path> walk = Files.walk(locked.home())) {
            files = walk.filter(file -> !Files.isSymbolicLink(file)).toList();
        }
        for (Path file : files) {
            boolean enter = Files.isDirectory(file) || Files.isExecutable(file);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(enter ? "r-xr-xr-x" : "r--r--r--"));
        }
        try {
            Ended ended = run(locked.home().resolve("bin/submit"), Map.of(), piArguments(locked));
            assertEquals(0, ended.status, ended.errors);
            assertEquals("", ended.errors);
        } finally {
            for (Path file : files) { // so that the directory can be removed
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        }
    }

    @Test
    void packsItselfForOtherMachines() throws Exception {
        Path archive = scratch.resolve("packed.tar");
        String[] pack = {"archive", "--roles", "submit,driver,executor", archive.toString()};
        Ended packed = hearth(Map.of("XDG_CACHE_HOME", scratch.toString()), pack);
        assertEquals(0, packed.status, packed.errors);
        assertTrue(packed.output.matches("[0-9a-f]{64}  \\Q" + archive + "\\E\n"), packed.output);
        assertEquals(packed, hearth(Map.of("XDG_CACHE_HOME", scratch.toString()), pack), "the kept copy");
        Path other = Files.createDirectories(scratch.resolve("another machine"));
        Ended unpacked = run(Path.of("/bin/tar"), Map.of(), "-xf", archive.toString(), "-C", other.toString());
        assertEquals("", unpacked.errors);
        Ended pi = run(
                other.resolve("bin/submit"),
                Map.of("XDG_CACHE_HOME", scratch.toString()),
                "--master",
                "local-cluster[1,1,256]",
                "--class",
                PI,
                installation.examples().toString(),
                "2");
        assertEquals(0, pi.status, pi.errors);
        assertTrue(pi.output.startsWith("Pi is roughly 3."), pi.output);
        assertOneLine(hearth(Map.of(), "archive"), 2, "expected: the name of one file");
    }

    static List<Path> javas() throws IOException {
        List<Path> homes = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"))));
        Path all = Path.of("/usr/lib/jvm");
        if (Files.isDirectory(all)) {
            try (Stream<Path> found = Files.list(all)) {
                found.filter(home -> !Files.isSymbolicLink(home) && Files.isExecutable(home.resolve("bin/java")))
                        .sorted()
                        .forEach(homes::add);
            }
        }
        return homes;
    }

    @ParameterizedTest
    @MethodSource("javas")
    void runsTheExampleOnEveryJava(Path javaHome) throws Exception {
        Ended ended = pi(Map.of("JAVA_HOME", javaHome.toString()));
        assertEquals(0, ended.status, ended.errors);
        assertEquals("", ended.errors);
        assertEquals(1, ended.output.lines().count(), ended.output);
    }

    @Test
    void makesAnArchiveOfClassesOnceAndGoesWithoutABadOne() throws Exception {
        Path cache = Files.createDirectories(scratch.resolve("cache/hearth")).getParent();
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", cache.toString(), "HEARTH_CDS", "on");
        Path archive = makeArchive(cache.resolve("hearth"), environment);
        Path loaded = scratch.resolve("loaded.txt");
        Map<String, String> traced = new TreeMap<>(environment);
        traced.put("HEARTH_JAVA_OPTS", "-Xlog:class+load:file=" + loaded);
        assertEquals(0, submit(traced, "--version").status);
        // in this home only classes of the JDK: Java 17 does not find archived jars whose path differs as a URL
        assertTrue(Files.readString(loaded).contains(" source: shared objects file (top)"));
        byte[] whole = Files.readAllBytes(archive);
        String sum = Files.readString(sum(archive));
        assertTrue(sum.matches("[0-9a-f]{64} " + whole.length + " \\d+ [\\d.]+\n"), sum);
        for (byte[] damaged : List.of(Arrays.copyOf(whole, whole.length / 2), flipped(whole), new byte[0])) {
            Files.delete(archive);
            Files.write(archive, damaged);
            Files.writeString(sum(archive), sum);
            archive = remakeArchive(cache.resolve("hearth"), environment, "damaged (expected: the content that was");
        }
        Files.setPosixFilePermissions(cache.resolve("hearth"), PosixFilePermissions.fromString("rwxrwx---"));
        remakeArchive(cache.resolve("hearth"), environment, "in a directory that others cannot write (expected: that)");
        assertEquals(
                "rwxr-x---", PosixFilePermissions.toString(Files.getPosixFilePermissions(cache.resolve("hearth"))));
        Ended good = submit(environment, "--version");
        assertEquals(0, good.status, good.errors);
        assertEquals("", good.errors);
    }

    private static Path sum(Path archive) {
        return archive.resolveSibling(archive.getFileName() + ".sum");
    }

    private static byte[] flipped(byte[] whole) {
        byte[] flipped = whole.clone();
        for (int at = 8192; at < flipped.length; at += 4096) {
            flipped[at] ^= 0x10;
        }
        return flipped;
    }

    /** Starts a process that refuses the archive with {@code reason}, and waits until a new one is written. */
    private static Path remakeArchive(Path directory, Map<String, String> environment, String reason) throws Exception {
        try (WatchService watch = directory.getFileSystem().newWatchService()) {
            directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Ended ended = submit(environment, "--version");
            assertEquals(0, ended.status, ended.errors);
            assertEquals(1, ended.output.lines().count(), ended.output);
            assertEquals(1, ended.errors.lines().count(), ended.errors);
            assertTrue(
                    ended.errors.startsWith("warning: class archive") && ended.errors.contains(reason), ended.errors);
            return awaitArchive(watch, directory);
        }
    }

    @Test
    void isNeverStoppedByTheCacheOfArchives() throws Exception {
        Path directory = Files.createDirectories(scratch.resolve("a bad start/hearth"));
        Path conf = Files.createDirectories(scratch.resolve("bad settings"));
        Files.writeString(conf.resolve("hearth-defaults.conf"), "hearth.log.level nonsense\n");
        Map<String, String> environment =
                Map.of("XDG_CACHE_HOME", directory.getParent().toString(), "HEARTH_CDS", "on");
        Map<String, String> refused = new TreeMap<>(environment);
        refused.put("HEARTH_CONF_DIR", conf.toString());
        // written all the same
        Path archive = makeArchive(directory, refused);
        // older than a jar that was replaced by one with the same time of modification
        replaceInPlace(installation.home().resolve("lib"));
        // left by a writer that was killed before the jars changed
        Eventually.until("no lock", () -> locks(directory).isEmpty(), Duration.ofSeconds(ARCHIVE_SECONDS_MAX));
        String hour = LocalDateTime.now(ZoneId.systemDefault()).format(DateTimeFormatter.ofPattern("yyyyMMddHH"));
        Path lock = Files.createDirectory(directory.resolve(archive.getFileName() + "." + hour + "-1.lock"));
        Files.writeString(lock.resolve("new"), "half");
        Files.setLastModifiedTime(lock, FileTime.fromMillis(0));
        // left by a writer that failed afterwards
        Path failed = Files.createDirectory(directory.resolve(archive.getFileName() + "." + hour + "-2.lock"));
        Process gone = new ProcessBuilder("true").start();
        gone.waitFor();
        Files.writeString(failed.resolve("writer"), gone.pid() + "\n");
        assertEquals(archive, makeArchive(directory, environment));
        // older than the jars, and not removable
        Files.delete(archive);
        Files.createDirectory(archive);
        Files.setLastModifiedTime(archive, FileTime.fromMillis(0));
        Ended ended = submit(environment, "--version");
        assertEquals(0, ended.status, ended.errors);
        assertEquals("", ended.errors);
    }

    private static List<String> locks(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString)
                    .filter(name -> name.endsWith(".lock"))
                    .toList();
        }
    }

    /** Replaces a jar by a copy with the same content and time of modification, as an update of one build does. */
    private static void replaceInPlace(Path directory) throws IOException {
        try (Stream<Path> jars = Files.list(directory)) {
            Path jar = jars.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
            Path copy = Files.copy(jar, directory.resolve("copy"), StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(copy, jar, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Starts a process that finds no archive of these jars, and waits until the archive is written. */
    private static Path makeArchive(Path directory, Map<String, String> environment) throws Exception {
        try (WatchService watch = directory.getFileSystem().newWatchService()) {
            directory.register(watch, StandardWatchEventKinds.ENTRY_CREATE);
            Ended ended = submit(environment, "--version");
            assertEquals(environment.containsKey("HEARTH_CONF_DIR") ? 2 : 0, ended.status, ended.errors);
            return awaitArchive(watch, directory);
        }
    }

    private static Path awaitArchive(WatchService watch, Path directory) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(ARCHIVE_SECONDS_MAX);
        while (System.nanoTime() < deadline) {
            WatchKey key = watch.poll(ARCHIVE_SECONDS_MAX, TimeUnit.SECONDS);
            for (var event : key == null ? List.<WatchEvent<?>>of() : key.pollEvents()) {
                if (event.context() instanceof Path name && name.toString().endsWith(".jsa")) {
                    return directory.resolve(name);
                }
            }
            assertTrue(key != null && key.reset(), "no archive within " + ARCHIVE_SECONDS_MAX + " s");
        }
        throw new AssertionError("no archive within " + ARCHIVE_SECONDS_MAX + " s");
    }

    @Test
    void keepsDaemonsByTheirProcessIds() throws Exception {
        Map<String, String> environment = Map.of(
                "HEARTH_PID_DIR", scratch.resolve("pids").toString(),
                "HEARTH_LOG_DIR", scratch.resolve("logs").toString(),
                "HEARTH_IDENT_STRING", "it");
        Path sbin = installation.home().resolve("sbin");
        assertOneLine(run(sbin.resolve("stop-master"), environment), 0, "master does not run");
        Ended started = run(sbin.resolve("start-master"), environment, "--port", "0");
        try {
            assertEquals(0, started.status, started.errors);
            assertTrue(started.output.startsWith("hearth://127.0.0.1:"), started.output);
            assertOneLine(run(sbin.resolve("start-master"), environment), 0, "master runs already, as process ");
            assertOneLine(
                    run(sbin.resolve("start-master"), environment, "--port", "0"),
                    0,
                    "master runs already, as process ");
            Ended other = run(sbin.resolve("start-master"), environment, "--port", "7177");
            assertOneLine(other, 1, "with the arguments '--port 0' (expected: '--port 7177', or no process)");
        } finally {
            Ended stopped = run(sbin.resolve("stop-master"), environment);
            assertEquals("", stopped.errors);
            assertTrue(stopped.output.matches("stopped master \\(pid \\d+\\)\n"), stopped.output);
        }
        Path pidFile = scratch.resolve("pids/hearth-it-master-1.pid");
        assertFalse(Files.exists(pidFile));
        // a reused process id belongs to another process
        Files.writeString(pidFile, ProcessHandle.current().pid() + "\n");
        assertOneLine(run(sbin.resolve("stop-master"), environment), 0, "master does not run");
        Ended refused = run(sbin.resolve("start-master"), environment, "--port", "70000");
        assertEquals(7, refused.status);
        assertTrue(
                refused.errors.contains("70000") && refused.errors.contains("master: did not start"), refused.errors);
    }

    @Test
    void startsOneDaemonOfARoleAndStopsItWithoutPs() throws Exception {
        Path pids = scratch.resolve("pids of one");
        Map<String, String> environment =
                new TreeMap<>(Map.of("HEARTH_PID_DIR", pids.toString(), "HEARTH_LOG_DIR", pids.toString()));
        environment.put("HEARTH_IDENT_STRING", "it");
        Path sbin = installation.home().resolve("sbin");
        List<String> start = List.of(sbin.resolve("start-master").toString(), "--port", "0");
        URI url;
        try (Launched one = Launched.start(scratch, environment, start);
                Launched other = Launched.start(scratch, environment, start)) {
            assertEquals(0, one.status(), one.errors());
            assertEquals(0, other.status(), other.errors());
            String pid =
                    Files.readString(pids.resolve("hearth-it-master-1.pid")).strip();
            String said = one.errors() + other.errors();
            assertTrue(said.contains("master runs as process " + pid + " (log: " + pids), said);
            assertTrue(said.contains("master runs already, as process " + pid + " (log: " + pids), said);
            url = URI.create((one.output() + other.output()).strip());
        } finally {
            environment.put("PATH", withoutPs().toString());
            Ended stopped = run(sbin.resolve("stop-master"), environment);
            assertEquals("", stopped.errors);
        }
        assertFalse(Files.exists(pids.resolve("hearth-it-master-1.pid")));
        assertThrows(ConnectException.class, () -> new Socket(url.getHost(), url.getPort()).close());
    }

    private static Path withoutPs() throws IOException {
        Path programs = Files.createDirectories(scratch.resolve("programs"));
        for (String name : List.of("bash", "dirname", "basename", "id", "mkdir", "rm", "sleep")) {
            Path found = Stream.of("/bin", "/usr/bin")
                    .map(directory -> Path.of(directory, name))
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
            Files.createSymbolicLink(programs.resolve(name), found);
        }
        return programs;
    }

    @Test
    void isSmallAndTellsNothingOfWhereItWasBuilt() throws Exception {
        Path archive = installation.archive();
        assertTrue(Files.size(archive) <= ARCHIVE_BYTES_MAX, Files.size(archive) + " bytes");
        Ended listed = run(Path.of("/bin/tar"), Map.of("TZ", "UTC"), "--numeric-owner", "-tvzf", archive.toString());
        assertEquals(0, listed.status, listed.errors);
        for (String entry : listed.output.lines().toList()) {
            assertTrue(entry.matches("(drwxr-xr-x|-rwxr-xr-x|-rw-r--r--) 0/0 +\\d+ 2026-01-01 00:00 hearth-.*"), entry);
        }
    }

    /** Every file below a directory, with its size and its time of modification. */
    private static SortedMap<String, String> contents(Path directory) throws IOException {
        SortedMap<String, String> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.toList()) {
                contents.put(
                        directory.relativize(file).toString(),
                        Files.size(file) + " " + Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS));
            }
        }
        return contents;
    }

    private static void assertOneLine(Ended ended, int status, String part) {
        assertEquals(status, ended.status, ended.errors);
        assertTrue(ended.errors.contains(part), ended.errors);
        assertEquals(1, ended.errors.lines().count(), ended.errors);
        assertTrue(status == 0 || ended.errors.startsWith("error: "), ended.errors);
        assertEquals("", ended.output);
    }

    private static Launched.Ready ready(String role) throws IOException {
        return installation.daemon(role, "--port", "0");
    }

    private static Ended pi(Map<String, String> environment) throws Exception {
        return submit(environment, piArguments(installation));
    }

    private static String[] piArguments(Installation of) {
        return new String[] {
            "--master", "local[2]", "--class", PI, of.examples().toString(), "4"
        };
    }

    private static Ended submit(Map<String, String> environment, String... arguments) throws Exception {
        return run(installation.home().resolve("bin/submit"), environment, arguments);
    }

    private static Ended hearth(Map<String, String> environment, String... arguments) throws Exception {
        return run(installation.home().resolve("bin/hearth"), environment, arguments);
    }

    private static Ended run(Path program, Map<String, String> environment, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        try (Launched launched = Launched.start(scratch, environment, command)) {
            return new Ended(launched.status(), launched.output(), launched.errors());
        }
    }

    private record Ended(int status, String output, String errors) {}
}
