package dev.hearth.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole processes: a real framework in a JVM of its own, in a home whose path has special characters. */
@Timeout(120)
class KernelIT {
    private static final List<String> WATCH = List.of("-Dhearth.lifeline=watch");

    @TempDir
    static Path directory;

    static TestingHome home;

    @BeforeAll
    static void makeHome() throws IOException {
        home = new TestingHome(directory.resolve("a home + more"));
        home.role("absent", "bundles=probe gone other");
        home.role("twice", "bundles=probe double");
        home.bundle("empty", "", "", "", List.of(), Map.of("Hearth-Role", "empty;main=true"));
        home.bundle("unresolved", "no.such.packages", "", "there", List.of());
        home.bundle("dependent", "there", "", "", List.of());
        home.role("empty", "bundles=empty");
        home.role("vacant", "bundles=empty");
        home.role("unresolved", "bundles=unresolved dependent");
        for (String copy : List.of("double-1.jar", "double-2.jar")) {
            Files.copy(
                    home.root.resolve("bundles/probe-1.0.0.jar"),
                    home.root.resolve("bundles").resolve(copy));
        }
        Files.writeString(
                home.root.resolve("conf/hearth-defaults.conf"),
                "# ours\nhearth.master local[2]\nspark.master=local[9]\nhearth.text = a b = ü \n");
        Files.writeString(home.root.resolve("lib/bundles.tsv"), "role:vacant\tvacancy-bundle\n");
        Files.writeString(home.root.resolve("lib/settings.tsv"), "hearth.master\ttext\t\ta\nhearth.text\ttext\t\ta\n");
    }

    @Test
    void runsARoleWithItsArgumentsAndSettings() throws Exception {
        Ended ended = run(List.of(), "probe", "echo", "a b");
        assertEquals(0, ended.status, ended.errors);
        assertEquals("""
                arguments [echo, a b]
                orders {}
                settings {hearth.master=local[2], hearth.text=a b = ü}
                home %s
                """.formatted(home.root), ended.output);
        assertEquals("probe bundle stopped\n", ended.errors);
    }

    @Test
    void takesSettingsFromTheCommandLineAndWarnsOfUnknownOnes() throws Exception {
        Ended ended = run(List.of(), "probe", "--conf", "hearth.text=c", "echo", "--conf=hearth.txt=1", "--other");
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.startsWith("arguments [echo, --other]\n"), ended.output);
        assertTrue(ended.output.contains("settings {hearth.master=local[2], hearth.text=c, hearth.txt=1}"));
        assertEquals(
                "warning: hearth.txt: no such setting (expected: one that docs/configuration.md lists); from --conf;"
                        + " did you mean hearth.text?\nprobe bundle stopped\n",
                ended.errors);
        Ended strict = run(List.of(), "probe", "--conf", "hearth.txt=1", "--conf", "hearth.conf.strict=true");
        assertEquals(2, strict.status);
        assertTrue(strict.errors.contains("error: hearth.txt: no such setting"), strict.errors);
    }

    @Test
    void exitsWithTheStatusOfTheRole() throws Exception {
        assertEquals(7, run(List.of(), "probe", "status", "7").status);
    }

    @Test
    void saysKnownFailuresInOneLine() throws Exception {
        Ended ended = run(List.of(), "probe", "refuse");
        assertEquals(4, ended.status);
        assertEquals("probe bundle stopped\nerror: master: gone (expected: there)\n", ended.errors);
    }

    @Test
    void showsTheTraceOfUnknownFailures() throws Exception {
        Ended ended = run(List.of(), "probe", "break");
        assertEquals(50, ended.status);
        assertTrue(ended.errors.contains("error: internal: java.lang.IllegalStateException: broken on purpose\n"));
        assertTrue(ended.errors.contains("at dev.hearth.kernel.probe.ProbeRole.run"), ended.errors);
        assertEquals("", ended.output);
    }

    @Test
    void listsTheRolesWhenOneIsUnknown() throws Exception {
        Ended ended = run(List.of(), "nothing");
        assertEquals(2, ended.status);
        assertEquals(
                "error: role: 'nothing' (expected: one of [absent, child, empty, ordered, probe, twice, unresolved, vacant])\n",
                ended.errors);
        assertEquals(2, run(List.of()).status);
    }

    @Test
    void namesAllMissingAndAmbiguousBundles() throws Exception {
        Ended absent = run(List.of(), "absent");
        assertEquals(7, absent.status);
        assertTrue(absent.errors.startsWith("error: bundle gone of role absent: missing (expected: one gone-"));
        assertTrue(absent.errors.contains("\n  bundle other of role absent: missing"), absent.errors);
        Ended twice = run(List.of(), "twice");
        assertTrue(twice.errors.startsWith("error: bundle double of role twice: [double-1.jar, double-2.jar]"));
    }

    @Test
    void saysWhyARoleIsNotOffered() throws Exception {
        Ended unresolved = run(List.of(), "unresolved");
        assertEquals(7, unresolved.status);
        assertTrue(unresolved.errors.contains("error: role unresolved: no bundle offers it"), unresolved.errors);
        assertTrue(
                unresolved.errors.endsWith(
                        "; unresolved lacks osgi.wiring.package (osgi.wiring.package=no.such.packages);"
                                + " not started: [unresolved, dependent]\n"),
                unresolved.errors);
        Ended empty = run(List.of(), "empty");
        assertEquals(7, empty.status);
        assertTrue(empty.errors.contains("; all bundles are active, so a component failed"), empty.errors);
    }

    @Test
    void saysThatNoBundleOffersARole() throws Exception {
        Ended vacant = run(List.of(), "vacant");
        assertEquals(2, vacant.status);
        assertEquals(
                "error: role vacant: no bundle in bundles/ or deploy/ offers it (expected: one with Hearth-Role:"
                        + " vacant;main=true in its manifest); put vacancy-bundle into bundles/\n",
                vacant.errors);
    }

    @Test
    void refusesASchemeWithoutAManager() throws Exception {
        Ended ended = run(List.of(), "probe", "manager", "yarn");
        assertEquals(2, ended.status);
        assertTrue(ended.errors.contains(
                "error: cluster manager for scheme 'yarn': not installed (expected: one of []);"));
    }

    @Test
    void sharesTheApiButNothingElseWithApplications() throws Exception {
        Path jar = directory.resolve("user + application.jar");
        TestingHome.writeJar(Files.newOutputStream(jar), new Manifest(), TestingHome.classes(KernelIT.class));
        Ended shared = run(List.of(), "probe", "load", jar.toString(), HearthException.class.getName());
        assertEquals(HearthException.class.getName() + " same true\n", shared.output, shared.errors);
        Ended hidden = run(List.of(), "probe", "load", jar.toString(), "dev.hearth.kernel.TestingHome");
        assertEquals(50, hidden.status);
        assertTrue(hidden.errors.contains("ClassNotFoundException: dev.hearth.kernel.TestingHome belongs to the"));
        Ended missing = run(List.of(), "probe", "load", "/no/such.jar");
        assertEquals(3, missing.status);
    }

    @Test
    void endsInOrderOnSigterm() throws Exception {
        Process process = home.start(List.of(), "probe", "wait");
        BufferedReader output = awaitLine(process, "waiting");
        process.toHandle().destroy(); // unlike the process, it leaves the streams open
        assertEquals("told", output.readLine());
        assertEquals(143, exit(process));
        assertEquals("role stopped\nprobe bundle stopped\n", TestingHome.text(process.getErrorStream()));
        assertEquals(List.of(), home.leftOversOf(process.toHandle()));
    }

    @Test
    void endsByForceWhenARoleWillNotStop() throws Exception {
        Process process = home.start(List.of(), "probe", "stubborn");
        awaitLine(process, "waiting");
        process.toHandle().destroy(); // unlike the process, it leaves the streams open
        assertEquals(143, exit(process));
        assertEquals(List.of(), home.leftOversOf(process.toHandle()));
        assertTrue(TestingHome.text(process.getErrorStream()).contains("still busy 8 s after the request to end"));
    }

    @Test
    void endsAlthoughAHookOfTheApplicationNeverDoes() throws Exception {
        Process process = home.start(List.of(), "probe", "deaf");
        awaitLine(process, "waiting");
        process.toHandle().destroy();
        assertEquals(143, exit(process));
        assertEquals(List.of(), home.leftOversOf(process.toHandle()));
    }

    @Test
    void stopsTheRoleThatCallsExitByItself() throws Exception {
        Process process = home.start(List.of(), "probe", "exit", "3");
        assertEquals(3, exit(process));
        assertEquals("role stopped\n", TestingHome.text(process.getErrorStream()));
        assertEquals(List.of(), home.leftOversOf(process.toHandle()));
    }

    @Test
    void endsWhenTheLifeLineIsCut() throws Exception {
        Process process = home.start(WATCH, "probe", "wait");
        BufferedReader output = awaitLine(process, "waiting");
        assertTrue(process.isAlive());
        process.getOutputStream().close();
        assertEquals("told", output.readLine());
        assertEquals(143, exit(process));
        assertEquals(List.of(), home.leftOversOf(process.toHandle()));
    }

    @Test
    void keepsTheLifeLineFromTheRole() throws Exception {
        Process process = home.start(WATCH, "probe", "read");
        awaitLine(process, "read 0");
        assertEquals(0, exit(process));
    }

    @Test
    void takesOrdersFromStandardInput() throws Exception {
        Process process = home.start(List.of("-Dhearth.lifeline=orders"), "child");
        process.getOutputStream().write("key=a\\nb\\=c\n# no order\n.\n".getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        assertEquals(0, exit(process));
        assertTrue(TestingHome.text(process.getInputStream()).contains("orders {key=a\nb=c}\n"));
    }

    @Test
    void takesOrdersFromAFileWithoutReadingStandardInput() throws Exception {
        Path orders = Files.writeString(directory.resolve("orders"), "do=echo\nof=a b\n.\n");
        Ended open = run(List.of(), "ordered", "--orders", orders.toString());
        assertEquals(7, open.status);
        assertTrue(open.errors.contains("error: launch orders " + orders + ": other users have access to it"));
        Files.setPosixFilePermissions(orders, PosixFilePermissions.fromString("rw-------"));
        Ended ended = run(List.of("-Dhearth.orders=" + orders), "ordered", "--conf", "hearth.text=c");
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.startsWith("arguments []\norders {do=echo, of=a b}\n"), ended.output);
        assertTrue(ended.output.contains("hearth.text=c"), ended.output);
        Ended stray = run(List.of(), "ordered", "--orders", orders.toString(), "stray");
        assertEquals(2, stray.status);
        assertTrue(stray.errors.contains("error: role ordered: [stray] (expected: --orders FILE"), stray.errors);
    }

    @Test
    void saysHowARoleGetsItsOrders() throws Exception {
        Ended none = run(List.of(), "ordered");
        assertEquals(2, none.status);
        assertTrue(none.errors.startsWith("error: role ordered: no launch orders (expected: --orders FILE"));
        Ended help = run(List.of(), "ordered", "--help");
        assertEquals(0, help.status);
        assertTrue(help.output.startsWith("usage: hearth ordered --orders FILE"), help.output);
    }

    @Test
    void takesOrdersFromAServiceOfABundle() throws Exception {
        Ended unset = run(List.of("-Dprobe.orders=one", "-Dhearth.orders=service"), "ordered");
        assertEquals(7, unset.status);
        assertTrue(unset.errors.contains("error: start parameter of: refers to the environment variable PROBE_NAME"));
        Ended two = run(List.of("-Dprobe.orders=two", "-Dhearth.orders=service"), "ordered");
        assertEquals(7, two.status);
        assertTrue(two.errors.contains("error: source of launch orders: ["), two.errors);
        Ended named = run(List.of("-Dprobe.orders=two", "-Dhearth.orders=service:two"), "ordered");
        assertEquals(0, named.status, named.errors);
        assertTrue(named.output.contains("of=ordered"), named.output);
    }

    @Test
    void endsOnSigtermWhileItsSourceBlocks() throws Exception {
        Process process = home.start(List.of("-Dprobe.orders=stuck", "-Dhearth.orders=service"), "ordered");
        awaitLine(process, "waiting");
        process.toHandle().destroy();
        assertEquals(143, exit(process));
        assertEquals("probe bundle stopped\n", TestingHome.text(process.getErrorStream()));
        assertEquals(List.of(), home.leftOversOf(process.toHandle()));
    }

    @Test
    void startsAChildWithOrdersAndReadsItsOutput() throws Exception {
        Path work = directory.resolve("work of child");
        Ended ended = run(List.of(), "probe", "spawn", work.toString(), "echo");
        assertEquals(0, ended.status, ended.errors);
        assertTrue(ended.output.contains("child exited 0: arguments []\norders {"), ended.output);
        assertTrue(ended.output.contains("text=a=b\nümlaut"), ended.output);
        assertTrue(Files.readString(work.resolve("stdout")).contains("text=a=b\nümlaut"));
        assertEquals("probe bundle stopped\n", Files.readString(work.resolve("stderr")));
    }

    @Test
    void takesItsChildrenAlongOnSigterm() throws Exception {
        Path work = directory.resolve("work of sigterm");
        Process process = spawnWaiting(work);
        ProcessHandle child = child(process);
        process.toHandle().destroy(); // unlike the process, it leaves the streams open
        child.onExit().get(30, TimeUnit.SECONDS);
        assertEquals(143, exit(process));
        assertEquals("waiting\ntold\n", Files.readString(work.resolve("stdout")));
    }

    @Test
    void takesItsChildrenAlongWhenKilled() throws Exception {
        Path work = directory.resolve("work of kill");
        Process process = spawnWaiting(work);
        ProcessHandle child = child(process);
        assertEquals(137, exit(process.destroyForcibly()));
        child.onExit().get(30, TimeUnit.SECONDS);
        assertFalse(child.isAlive());
        assertEquals(0, run(List.of(), "probe").status);
        assertEquals(List.of(), home.leftOversOf(process.toHandle()), "the next start sweeps");
        assertEquals(List.of(), home.leftOversOf(child));
    }

    /** Starts a process whose child waits; returns once it does. */
    private static Process spawnWaiting(Path work) throws IOException {
        try (ServerSocket waiting = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(waiting.getLocalPort());
            Process process = home.start(List.of(), "probe", "spawn", work.toString(), "wait", port);
            waiting.accept().close();
            return process;
        }
    }

    private static ProcessHandle child(Process process) throws IOException {
        BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
        String line = output.readLine();
        return ProcessHandle.of(Long.parseLong(line.substring("child ".length())))
                .orElseThrow();
    }

    private static BufferedReader awaitLine(Process process, String line) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertEquals(line, output.readLine());
        return output;
    }

    private static int exit(Process process) throws InterruptedException {
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), "still alive");
        return process.exitValue();
    }

    private static Ended run(List<String> jvmOptions, String... arguments) throws Exception {
        Process process = home.start(jvmOptions, arguments);
        process.getOutputStream().close();
        String output = TestingHome.text(process.getInputStream());
        String errors = TestingHome.text(process.getErrorStream());
        return new Ended(exit(process), output, errors);
    }

    private record Ended(int status, String output, String errors) {}
}
