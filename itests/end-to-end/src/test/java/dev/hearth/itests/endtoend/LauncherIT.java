package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.launcher.InProcessLauncher;
import dev.hearth.launcher.LaunchEnd;
import dev.hearth.launcher.LaunchHandle;
import dev.hearth.launcher.LaunchListener;
import dev.hearth.launcher.LaunchState;
import dev.hearth.launcher.Launcher;
import dev.hearth.testkit.machine.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.spark.launcher.SparkAppHandle;
import org.apache.spark.launcher.SparkLauncher;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that start applications of an installation and follow them, also with Spark's own launcher. */
class LauncherIT {
    private static final String GATED = "dev.hearth.itests.endtoend.app.GatedSum";

    private static final String CLASSES = "HEARTH_CDS";

    @TempDir
    static Path scratch;

    private static Installation installation;

    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final LaunchListener listener = new LaunchListener() {
        @Override
        public void stateChanged(LaunchHandle handle) {
            seen.add(handle.state().name());
        }
    };
    private Gate gate;

    @BeforeAll
    static void install() throws IOException {
        installation = Installation.in(scratch);
    }

    @AfterAll
    static void leaveNothing() throws InterruptedException {
        Processes.waitForTheEndOf(installation.processes());
        assertEquals(List.of(), installation.processes());
    }

    @BeforeEach
    void open() throws IOException {
        gate = new Gate();
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
    }

    @Test
    void followsAnApplication() throws Exception {
        Path output = scratch.resolve("output");
        LaunchHandle handle = launcher()
                .mainClass("dev.hearth.examples.Pi")
                .application(installation.examples().toString())
                .arguments("20")
                .redirectOutput(ProcessBuilder.Redirect.to(output.toFile()))
                .start(listener);

        assertEquals(new LaunchEnd(LaunchState.FINISHED, OptionalInt.of(0), "", ""), end(handle));
        assertEquals(List.of("CONNECTED", "SUBMITTED", "RUNNING", "FINISHED"), seen);
        assertTrue(handle.applicationId().orElse("").startsWith("local-"), () -> "id " + handle.applicationId());
        assertTrue(Files.readString(output).startsWith("Pi is roughly 3.1"), () -> "output in " + output);
    }

    @Test
    void learnsWhyAnApplicationFailed() throws Exception {
        LaunchEnd inTask = end(launcher()
                .mainClass("dev.hearth.examples.FailsInTask")
                .application(installation.examples().toString())
                .start());
        assertEquals(LaunchState.FAILED, inTask.state());
        assertEquals("TASK_FAILED", inTask.code());
        assertTrue(inTask.message().contains("element 3 is bad"), inTask::message);

        LaunchEnd early = end(launcher().flag("--colour").application("a.jar").start());
        assertEquals(OptionalInt.of(2), early.exitStatus());
        assertEquals("BAD_ARGUMENT", early.code());
        assertTrue(early.message().contains("--colour"), early::message);
    }

    @Test
    void countsTheExitStatusOfAnApplication() throws Exception {
        LaunchEnd end = end(launcher()
                .mainClass("dev.hearth.itests.endtoend.app.ExitsWith")
                .application(installation.applications().toString())
                .arguments("42")
                .start());

        assertEquals(LaunchState.FAILED, end.state());
        assertEquals(OptionalInt.of(42), end.exitStatus());
    }

    @Test
    void stopsAndKillsApplications() throws Exception {
        LaunchHandle stopped = gated();
        gate.next().pass(); // the driver
        gate.next(); // a task, which waits
        stopped.stop();
        assertEquals(LaunchState.KILLED, end(stopped).state());

        LaunchHandle killed = gated();
        gate.next();
        killed.kill();
        assertEquals(new LaunchEnd(LaunchState.KILLED, OptionalInt.of(137), "", ""), end(killed));
    }

    @Test
    void servesProgramsWithTheLauncherOfSpark() throws Exception {
        CompletableFuture<SparkAppHandle.State> ended = new CompletableFuture<>();
        CompletableFuture<Void> running = new CompletableFuture<>();
        SparkAppHandle handle = spark(GATED, String.valueOf(gate.port()), "2")
                .startApplication(new SparkAppHandle.Listener() {
                    @Override
                    public void stateChanged(SparkAppHandle changed) {
                        seen.add(changed.getState().name());
                        if (changed.getState() == SparkAppHandle.State.RUNNING) {
                            running.complete(null);
                        }
                        if (changed.getState().isFinal()) {
                            ended.complete(changed.getState());
                        }
                    }

                    @Override
                    public void infoChanged(SparkAppHandle changed) {
                        seen.add("id");
                    }
                });
        gate.next().pass();
        gate.next();
        running.get(1, TimeUnit.MINUTES);
        assertTrue(handle.getAppId().startsWith("local-"), handle::getAppId);
        handle.stop();

        assertEquals(SparkAppHandle.State.KILLED, ended.get(1, TimeUnit.MINUTES));
        assertEquals(List.of("CONNECTED", "id", "SUBMITTED", "RUNNING", "KILLED"), seen);
    }

    @Test
    void followsADriverOnAClusterAlsoByItsIdAlone() throws Exception {
        try (Cluster cluster = Cluster.start(installation)) {
            LaunchHandle first = launcher()
                    .master(cluster.url())
                    .deployMode("cluster")
                    .mainClass(GATED)
                    .application(installation.applications().toString())
                    .arguments(String.valueOf(gate.port()), "2")
                    .start(listener);
            gate.next().pass(); // the driver
            Gate.Visitor task = gate.next();
            LaunchHandle second = launcher()
                    .master(cluster.url())
                    .pollEvery(Duration.ofMillis(10))
                    .attach(first.submissionId().orElseThrow());
            first.kill(); // as if the program had ended: the driver goes on
            assertEquals(LaunchState.KILLED, end(first).state());

            task.pass();
            gate.next().pass();
            assertEquals(new LaunchEnd(LaunchState.FINISHED, OptionalInt.of(0), "", ""), end(second));
            assertTrue(second.links().containsKey("stdout"), () -> "links " + second.links());

            LaunchHandle third = overHttp(cluster)
                    .mainClass(GATED)
                    .application(installation.applications().toString())
                    .arguments(String.valueOf(gate.port()), "2")
                    .start();
            gate.next();
            LaunchHandle fourth = overHttp(cluster).attach(third.submissionId().orElseThrow());
            fourth.stop();
            assertEquals(LaunchState.KILLED, end(third).state());
            assertEquals(LaunchState.KILLED, end(fourth).state());
        }
    }

    /** A launcher that starts no process here, and knows no more of the cluster than its address. */
    private static InProcessLauncher overHttp(Cluster cluster) {
        return new InProcessLauncher()
                .master(cluster.url())
                .deployMode("cluster")
                .pollEvery(Duration.ofMillis(10));
    }

    private LaunchHandle gated() throws IOException {
        return launcher()
                .mainClass(GATED)
                .application(installation.applications().toString())
                .arguments(String.valueOf(gate.port()), "2")
                .start();
    }

    private static Launcher launcher() throws IOException {
        return Launcher.of(installation.home())
                .master("local[2]")
                .environment(CLASSES, SharedClasses.setting()); // no archive of classes of its own
    }

    private static SparkLauncher spark(String main, String... arguments) throws IOException {
        return new SparkLauncher(Map.of(CLASSES, SharedClasses.setting()))
                .setSparkHome(installation.home().toString())
                .setMaster("local[2]")
                .setMainClass(main)
                .setAppResource(installation.applications().toString())
                .setConf("spark.executor.memory", "1g")
                .addAppArgs(arguments)
                .redirectToLog("dev.hearth.itests.launcher");
    }

    private static LaunchEnd end(LaunchHandle handle) throws Exception {
        return handle.exit().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}
