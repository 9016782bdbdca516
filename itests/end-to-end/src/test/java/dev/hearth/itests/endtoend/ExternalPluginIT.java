package dev.hearth.itests.endtoend;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.GatedSum;
import dev.hearth.itests.endtoend.app.ShowsSettings;
import dev.hearth.itests.endtoend.app.StoreUser;
import dev.hearth.itests.endtoend.app.TwoContexts;
import dev.hearth.testkit.machine.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Drops external bundles into running kernels: they start, are replaced under a running application, drain, and stop.
 */
@Timeout(180)
class ExternalPluginIT {
    private static final Duration WAIT = Duration.ofMinutes(3);
    private static final Duration SEEN_WITHIN = Duration.ofSeconds(10); // a second, plus a margin for a busy machine

    @TempDir
    Path scratch;

    private Installation installation;
    private Path deploy;

    @BeforeEach
    void unpack() throws Exception {
        installation = Installation.in(scratch);
        deploy = installation.home().resolve("deploy");
        Files.writeString(installation.home().resolve("conf/hearth-defaults.conf"), "hearth.log.level INFO\n");
    }

    @Test
    void isReplacedWhileAnApplicationRunsOnIt() throws Exception {
        ExternalPlugin plugin = new ExternalPlugin("manager", scratch);
        ExternalPlugin.drop(plugin.build(installation, "1.0"), deploy);
        try (Gate gate = new Gate();
                Launched submit = installation.submit(
                        "--master",
                        "example://cores/2",
                        "--class",
                        TwoContexts.class.getName(),
                        installation.applications().toString(),
                        Integer.toString(gate.port()))) {
            Gate.Visitor opened = next(gate, "opened-one", submit);
            ExternalPlugin.drop(plugin.build(installation, "1.1"), deploy);
            await(submit, "example-manager 1.1.0 (example-manager.jar) runs");
            await(
                    submit,
                    "example-manager 1.0.0 (example-manager.jar) waits up to 600 s before it stops,"
                            + " because it is still used by [application two contexts]");
            opened.pass();
            Gate.Visitor both = next(gate, "opened-two", submit);
            assertTrue(!submit.errors().contains("is gone"), submit::errors);
            both.pass();
            Gate.Visitor closed = next(gate, "closed-both", submit);
            await(submit, "example-manager 1.0.0 (example-manager.jar) is gone");
            closed.pass();
            Gate.Visitor collected = next(gate, "collected", submit);
            await(submit, "the classes of example-manager 1.0.0 were collected");
            collected.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("""
                    first example-1.0 counts 3
                    second example-1.1 counts 3
                    first again example-1.0 counts 3
                    """, submit.output());
        }
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void bringsItsOwnFlagsRefusalsChecksAndDefaults() throws Exception {
        ExternalPlugin.drop(new ExternalPlugin("manager", scratch).build(installation, "1.0"), deploy);
        String application = installation.applications().toString();
        String shows = ShowsSettings.class.getName();
        try (Launched submit = installation.submit(
                "-e",
                "3",
                "--driver-memory",
                "64m",
                "--master",
                "example://cores/2",
                "--class",
                shows,
                application,
                "hearth.example.cores",
                "hearth.task.maxFailures")) {
            assertEquals(0, submit.status(), submit::errors);
            assertFalse(
                    Pattern.compile("warning:| WARN ").matcher(submit.errors()).find(), submit::errors);
            assertTrue(submit.output().startsWith("cores 3\nheap "), submit::output);
            assertTrue(
                    submit.output().endsWith("\nhearth.example.cores 3\nhearth.task.maxFailures 1\n"), submit::output);
            String heap = submit.output().lines().toList().get(1);
            assertTrue(Long.parseLong(heap.substring("heap ".length())) <= 64L << 20, heap);
        }
        assertRefused(
                "error: --supervise: nothing is started again (expected: no --supervise); leave it out\n",
                List.of("--supervise", "--master", "example://cores/2", "--class", shows, application));
        assertRefused(
                "error: hearth.executor.instances: set (expected: not on example://cores/2, which has one executor)\n",
                List.of("--num-executors", "2", "--master", "example://cores/2", "--class", shows, application));
        try (Launched help = installation.submit("--help")) {
            assertEquals(0, help.status(), help::errors);
            assertTrue(
                    help.output()
                            .contains(
                                    "Flags with --master example:\n  --example-cores N              cores of the executor"
                                            + " (default: those of the master URL), in client mode; also -e\n"),
                    help::output);
        }
    }

    private void assertRefused(String error, List<String> arguments) throws Exception {
        try (Launched submit = installation.submit(arguments.toArray(new String[0]))) {
            assertEquals(2, submit.status(), submit::errors);
            assertEquals("", submit.output());
            assertTrue(submit.errors().endsWith(error), submit::errors);
        }
    }

    @Test
    void addsACommandToTheShell() throws Exception {
        ExternalPlugin.drop(new ExternalPlugin("hello", scratch).build(installation, "1.0"), deploy);
        String hearth = installation.home().resolve("bin/hearth").toString();
        List<String> typed = List.of("sh", "-c", "echo 'example:hello world' | \"$0\" shell", hearth);
        try (Launched shell = Launched.start(scratch, typed)) {
            assertEquals(0, shell.status(), shell::errors);
            assertEquals("hello, world\n", shell.output());
        }
    }

    @Test
    void comesAndGoesInAServingKernelThatKeepsRunning() throws Exception {
        Launched.Ready ready = installation.daemon("serve");
        try (Launched serve = ready.process()) {
            assertTrue(ready.line().startsWith("serving " + installation.home() + " at 127.0.0.1:"), ready::line);
            Files.writeString(deploy.resolve("text.jar"), "no jar");
            Path hello = new ExternalPlugin("hello", scratch).build(installation, "1.0");
            long dropped = System.nanoTime();
            ExternalPlugin.drop(hello, deploy);
            await(serve, "example-hello 1.0.0 (example-hello.jar) runs");
            Duration seen = Duration.ofNanos(System.nanoTime() - dropped);
            assertTrue(seen.compareTo(SEEN_WITHIN) < 0, "seen after " + seen);
            ExternalPlugin manager = new ExternalPlugin("manager", scratch);
            ExternalPlugin.drop(manager.build(installation, "1.0"), deploy);
            await(serve, "example-manager 1.0.0 (example-manager.jar) runs");
            ExternalPlugin.drop(manager.build(installation, "1.1"), deploy);
            await(serve, "example-manager 1.1.0 (example-manager.jar) runs");
            await(serve, "example-manager 1.0.0 (example-manager.jar) is gone");
            Files.delete(deploy.resolve("example-hello.jar"));
            await(serve, "example-hello 1.0.0 (example-hello.jar) is gone");
            await(serve, "text.jar: no complete jar: zip END header not found (expected: a bundle)");
        }
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void runsExecutorsWithoutAParentAndReplacesAKilledOne() throws Exception {
        ExternalPlugin.drop(new ExternalPlugin("containers", scratch).build(installation, "1.0"), deploy);
        try (Gate gate = new Gate();
                Launched submit = installation.submit(
                        "--master",
                        "containers://2",
                        "--executor-memory",
                        "128m",
                        "--conf",
                        "spark.executorEnv.TEAM=blue",
                        "--conf",
                        "spark.executor.extraJavaOptions=-Dexample.id={{EXECUTOR_ID}}",
                        "--class",
                        GatedSum.class.getName(),
                        installation.applications().toString(),
                        Integer.toString(gate.port()),
                        "6")) {
            gate.next().pass();
            Gate.Visitor first = gate.next();
            Gate.Visitor second = gate.next();
            for (Gate.Visitor executor : List.of(first, second)) {
                Path process = Path.of("/proc", String.valueOf(executor.pid()));
                assertTrue(Files.readString(process.resolve("environ")).contains("\0TEAM=blue\0"), submit::errors);
                assertTrue(
                        Files.readString(process.resolve("cmdline")).contains("-Dexample.id=container-"),
                        submit::errors);
            }
            first.kill();
            second.pass();
            gate.open();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("sum is 55\n", submit.output());
            assertTrue(submit.errors().contains("is lost (FAILED): exit status 137"), submit::errors);
        }
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void runsDriversWithTheBundlesOfTheSubmitter() throws Exception {
        ExternalPlugin.drop(new ExternalPlugin("containers", scratch).build(installation, "1.0"), deploy);
        try (Launched submit = submitToContainer(
                "--class", "dev.hearth.examples.Pi", installation.examples().toString(), "20")) {
            assertEquals(0, submit.status(), submit::errors);
            assertTrue(submit.output().startsWith("Pi is roughly 3.1"), submit::output);
            assertTrue(submit.errors().contains(" is now FINISHED."), submit::errors);
        }
        try (Launched status = installation.submit("--status", "other", "--master", "containers://1")) {
            assertEquals(6, status.status(), status::errors);
            assertTrue(
                    status.errors().contains("submission 'other': none matches on master containers://1"),
                    status::errors);
        }
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void tellsSubmittersWhetherTheirDriversWereStoppedOrDied() throws Exception {
        ExternalPlugin.drop(new ExternalPlugin("containers", scratch).build(installation, "1.0"), deploy);
        try (Gate gate = new Gate();
                Launched first = submitGated(gate);
                Launched second = submitGated(gate)) {
            Gate.Visitor driver = gate.next();
            Gate.Visitor other = gate.next();
            Path directory =
                    Path.of("/proc", String.valueOf(driver.pid()), "cwd").toRealPath();
            Path otherDirectory =
                    Path.of("/proc", String.valueOf(other.pid()), "cwd").toRealPath();
            driver.pass();
            Gate.Visitor executor = gate.next();
            driver.kill();
            String id = directory.getFileName().toString();
            Launched died = first.errors().contains(id) ? first : second;
            Launched stopped = died == first ? second : first;
            assertEquals(137, died.status(), died::errors);
            assertTrue(died.errors().contains(id + ": FAILED, exit status 137 on this machine"), died::errors);
            assertTrue(died.errors().contains("container " + id + ": runs gated sum\n"), died::errors);
            assertTrue(Files.notExists(directory), "the driver's container, with those of its executors");
            assertTrue(ProcessHandle.of(executor.pid()).isEmpty(), "no executor is left");

            String pattern = "containers-driver-*";
            try (Launched kill = installation.submit("--kill", pattern, "--master", "containers://1")) {
                assertEquals(0, kill.status(), kill::errors);
                assertEquals(otherDirectory.getFileName() + ": was RUNNING; kill requested\n", kill.output());
            }
            assertEquals(8, stopped.status(), stopped::errors);
            assertTrue(
                    stopped.errors().contains(otherDirectory.getFileName() + ": KILLED, exit status 143"),
                    stopped::errors);
            assertTrue(stopped.errors().contains(": ended with status 143"), stopped::errors);
            assertTrue(Files.notExists(otherDirectory), otherDirectory::toString);
        }
        assertEquals(List.of(), installation.processes());
    }

    private Launched submitGated(Gate gate) throws Exception {
        return submitToContainer(
                "--name",
                "gated sum",
                "--class",
                GatedSum.class.getName(),
                installation.applications().toString(),
                Integer.toString(gate.port()),
                "1");
    }

    /** Submits an application in cluster mode, with a driver and an executor of little memory. */
    private Launched submitToContainer(String... arguments) throws Exception {
        List<String> all = new ArrayList<>(List.of("--master", "containers://1", "--deploy-mode", "cluster"));
        all.addAll(List.of("--driver-memory", "128m", "--executor-memory", "128m"));
        all.addAll(List.of(arguments));
        return installation.submit(all.toArray(new String[0]));
    }

    @Test
    void lendsClassesAndSendsCredentialsToProcessesElsewhere() throws Exception {
        ExternalPlugin vault = new ExternalPlugin("vault", scratch);
        Path bundle = vault.build(installation, "1.0");
        ExternalPlugin.drop(bundle, deploy);
        ExternalPlugin.drop(new ExternalPlugin("containers", scratch).build(installation, "1.0"), deploy);
        Path application = new UserJar(Files.createDirectory(scratch.resolve("opens-vault")))
                .against(installation, "hearth-api-")
                .against(bundle.toString(), installation.applications().toString())
                .source("OpensVault")
                .header("Hearth-Requires", "example.vault")
                .write(scratch.resolve("opens-vault.jar"));
        Path token = Files.writeString(scratch.resolve("token"), "red");
        Path book = scratch.resolve("book");
        String notes = "-Dexample.vault.book=" + book;
        try (Gate gate = new Gate();
                Launched submit = submitToContainer(
                        "--conf",
                        "hearth.containers.credentials.file=" + token,
                        "--conf",
                        "hearth.containers.credentials.interval=100ms",
                        "--conf",
                        "hearth.driver.extraJavaOptions=" + notes,
                        "--conf",
                        "hearth.executor.extraJavaOptions=" + notes,
                        "--jars",
                        installation.applications().toString(),
                        "--class",
                        "user.OpensVault",
                        application.toString(),
                        Integer.toString(gate.port()))) {
            Gate.Visitor task = next(gate, "red", submit);
            ExternalPlugin.replace(Files.writeString(scratch.resolve("next"), "green"), token);
            task.pass();
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("""
                    driver: cellar of cellar, attic, hidden true
                    task: cellar of cellar, attic, hidden true, red then green
                    """, submit.output());
            assertTrue(submit.errors().contains(": ended with status 0\n"), submit::errors);
            List<String> ends = Files.readAllLines(book).stream().sorted().toList();
            assertEquals(2, ends.size(), ends::toString);
            assertTrue(ends.contains("process " + task.pid() + ": 2 visitors left"), ends::toString);
            assertTrue(ends.stream().anyMatch(end -> end.endsWith(": 1 visitors left")), ends::toString);
        }
        assertEquals(List.of(), installation.processes());
    }

    @Test
    void storesFilesOfApplicationsOnDriverAndExecutors() throws Exception {
        ExternalPlugin.drop(new ExternalPlugin("store", scratch).build(installation, "1.0"), deploy);
        Path files = Files.createDirectory(scratch.resolve("files"));
        Files.createDirectory(files.resolve("events"));
        Files.write(files.resolve("words.txt"), inverted("to be".getBytes(UTF_8)));
        try (Launched submit = installation.submit(
                "--master",
                "local-cluster[2,1,512]",
                "--conf",
                "hearth.eventLog.enabled=true",
                "--conf",
                "hearth.eventLog.dir=shelf:" + files + "/events",
                "--class",
                StoreUser.class.getName(),
                installation.applications().toString(),
                "shelf:" + files)) {
            assertEquals(0, submit.status(), submit::errors);
            assertEquals("""
                    lines 1000, checkpointed true
                    characters 7890
                    attached [to be]
                    """, submit.output());
        }
        byte[] part = inverted(Files.readAllBytes(files.resolve("lines/part-00000.gz")));
        assertEquals(0x1f, part[0], "the store has written it");
        try (Stream<Path> logs = Files.list(files.resolve("events"))) {
            Path log = logs.findFirst().orElseThrow();
            assertTrue(
                    new String(inverted(Files.readAllBytes(log)), UTF_8).contains("ApplicationEnded"), log::toString);
            assertTrue(!log.toString().endsWith(".inprogress"), log::toString);
        }
        assertEquals(List.of(), installation.processes());
    }

    private static byte[] inverted(byte[] bytes) {
        byte[] inverted = new byte[bytes.length];
        for (int at = 0; at < bytes.length; at++) {
            inverted[at] = (byte) ~bytes[at];
        }
        return inverted;
    }

    private static Gate.Visitor next(Gate gate, String who, Launched submit) throws InterruptedException {
        Gate.Visitor visitor = gate.next();
        assertEquals(who, visitor.who(), submit::errors);
        return visitor;
    }

    /** Waits for a line of the log; polls, because nothing signals that a file grew. */
    private static void await(Launched process, String text) {
        Eventually.until("a line with '" + text + "'", () -> process.errors().contains(text), WAIT, process::errors);
    }
}
