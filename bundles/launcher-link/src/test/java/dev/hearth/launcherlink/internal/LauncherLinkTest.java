package dev.hearth.launcherlink.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.hearth.api.event.ApplicationEvent;
import dev.hearth.api.event.ApplicationListener;
import dev.hearth.spi.cluster.DeployMode;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LauncherLinkTest {
    private static final SubmissionPlan PLAN =
            SubmissionPlan.builder("words", "example.Words").build();
    private static final SubmissionId DRIVER = new SubmissionId("driver-20261119000000-0001");

    private ServerSocket program;
    private LauncherLink link;
    private Socket socket;

    @BeforeEach
    void connect() throws IOException {
        program = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        link = new LauncherLink(
                Map.of(
                        "HEARTH_LAUNCHER_PORT",
                        String.valueOf(program.getLocalPort()),
                        "HEARTH_LAUNCHER_SECRET",
                        "s3",
                        "_SPARK_LAUNCHER_PORT",
                        "1",
                        "_SPARK_LAUNCHER_SECRET",
                        "other"),
                "0.1.0");
        socket = program.accept();
        socket.setSoTimeout(60_000); // a test that waits in vain fails
    }

    @AfterEach
    void close() throws IOException {
        link.close();
        socket.close();
        program.close();
    }

    @Test
    void reportsAnApplicationInThisProcess() throws Exception {
        link.began(PLAN, DeployMode.CLIENT, () -> {});
        ApplicationListener listener =
                link.subscribe("app-1", "words", Settings.empty()).orElseThrow();
        assertFalse(listener.hearsTasks());
        listener.on(started("app-1"));
        listener.on(new ApplicationEvent.ApplicationEnded(2));
        link.ended(ExitCode.OK.status(), "", "");
        link.close();

        assertEquals(
                List.of(
                        "hello\t1\ts3\t0.1.0",
                        "application\tapp-1",
                        "state\tSUBMITTED",
                        "state\tRUNNING",
                        "end\t\t",
                        "state\tFINISHED"),
                lines());
    }

    @Test
    void reportsAFailureWithItsCause() throws Exception {
        link.ended(ExitCode.USAGE.status(), "BAD_ARGUMENT", "flag\t--x: unknown\nand \\ more");
        link.close();

        assertEquals(
                List.of(
                        "hello\t1\ts3\t0.1.0",
                        "end\tBAD_ARGUMENT\tflag\\t--x: unknown\\nand \\\\ more",
                        "state\tFAILED"),
                lines());
    }

    @Test
    void reportsASubmissionInClusterMode() throws Exception {
        link.began(PLAN, DeployMode.CLUSTER, () -> {});
        link.changed(status(SubmissionState.SUBMITTED)); // may come first
        link.accepted(DRIVER);
        for (SubmissionState state : List.of(
                SubmissionState.RUNNING,
                SubmissionState.UNKNOWN,
                SubmissionState.RELAUNCHING,
                SubmissionState.RUNNING,
                SubmissionState.FAILED)) {
            link.changed(status(state));
        }
        link.ended(17, "", "exit status 17");
        link.close();

        assertEquals(
                List.of(
                        "hello\t1\ts3\t0.1.0",
                        "submission\t" + DRIVER,
                        "state\tSUBMITTED",
                        "state\tRUNNING",
                        "state\tSUBMITTED",
                        "state\tRUNNING",
                        "end\t\texit status 17",
                        "state\tFAILED"),
                lines());
    }

    @Test
    void reportsEachLinkOnce() throws Exception {
        link.began(PLAN, DeployMode.CLUSTER, () -> {});
        SubmissionStatus running = new SubmissionStatus(
                DRIVER,
                SubmissionState.RUNNING,
                "",
                "",
                OptionalInt.empty(),
                "",
                "",
                Map.of("stdout", "http://a/stdout"),
                1);
        link.changed(running);
        link.changed(running);
        link.close();

        assertEquals(
                1,
                lines().stream().filter("link\tstdout\thttp://a/stdout"::equals).count());
    }

    @Test
    void leavesTheEndOfADriverOpenThatIsNotAwaited() throws Exception {
        link.began(PLAN, DeployMode.CLUSTER, () -> {});
        link.accepted(DRIVER);
        link.changed(status(SubmissionState.RUNNING));
        link.ended(ExitCode.OK.status(), "", "");
        link.close();

        assertEquals(List.of("state\tRUNNING", "end\t\t"), lines().subList(3, 5));
    }

    @Test
    void reportsTheEndByAnExitOfTheApplication() throws Exception {
        link.began(PLAN, DeployMode.CLIENT, () -> {});
        link.subscribe("app-1", "words", Settings.empty()).orElseThrow().on(new ApplicationEvent.ApplicationEnded(2));
        link.close();

        assertEquals("state\tFINISHED", last());
    }

    @Test
    void stopsTheApplicationOnRequest() throws Exception {
        CountDownLatch stopped = new CountDownLatch(1);
        link.began(PLAN, DeployMode.CLIENT, stopped::countDown);
        socket.getOutputStream().write("unknown\nstop\n".getBytes(StandardCharsets.UTF_8));
        stopped.await(1, TimeUnit.MINUTES);
        assertEquals(0, stopped.getCount());
        link.ended(ExitCode.FAILED.status(), "APPLICATION_KILLED", "stopped");
        link.close();

        assertEquals("state\tKILLED", last());
    }

    @Test
    void stopsAnApplicationThatBeginsAfterTheRequest() throws Exception {
        CountDownLatch first = new CountDownLatch(1);
        link.began(PLAN, DeployMode.CLIENT, first::countDown);
        socket.getOutputStream().write("stop\n".getBytes(StandardCharsets.UTF_8));
        first.await(1, TimeUnit.MINUTES);
        CountDownLatch second = new CountDownLatch(1);
        link.began(PLAN, DeployMode.CLIENT, second::countDown);

        assertEquals(0, second.getCount());
    }

    @Test
    void goesOnWithoutTheProgram() throws Exception {
        LauncherLink alone = new LauncherLink(Map.of("_SPARK_LAUNCHER_PORT", "1"), "0.1.0");
        alone.began(PLAN, DeployMode.CLIENT, () -> {});
        alone.subscribe("app-1", "words", Settings.empty()).orElseThrow().on(started("app-1"));
        alone.ended(0, "", "");
        alone.close();

        socket.close(); // the program has ended
        program.close();
        for (int i = 0; i < 100; i++) { // more than the operating system buffers for a closed connection
            link.accepted(DRIVER);
        }
        link.ended(0, "", "");
    }

    private static SubmissionStatus status(SubmissionState state) {
        return new SubmissionStatus(DRIVER, state, "", "", OptionalInt.empty(), "", "");
    }

    private static ApplicationEvent started(String id) {
        return new ApplicationEvent.ApplicationStarted(1, id, "words", "me", "local", "", "", Map.of(), Map.of());
    }

    private List<String> lines() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        List<String> lines = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            lines.add(line);
        }
        assertNull(in.readLine());
        return lines;
    }

    private String last() throws IOException {
        List<String> lines = lines();
        return lines.get(lines.size() - 1);
    }
}
