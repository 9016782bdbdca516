package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ChildLaunchTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final FakeProcess process = new FakeProcess();
    private final List<String> seen = new CopyOnWriteArrayList<>();
    private final LaunchListener listener = new LaunchListener() {
        @Override
        public void stateChanged(LaunchHandle handle) {
            seen.add(handle.state().name());
        }

        @Override
        public void infoChanged(LaunchHandle handle) {
            seen.add(handle.applicationId().or(handle::submissionId).orElse("none"));
        }
    };
    private LaunchServer server;

    @BeforeEach
    void open() throws IOException {
        server = LaunchServer.open();
    }

    @AfterEach
    void close() {
        process.exitWith(0);
        server.close();
    }

    @Test
    void followsAnApplicationToItsEnd() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket child = connect(server.secret())) {
            write(child, "state\tSUBMITTED\napplication\tapp-1\nstate\tRUNNING\nstate\tFINISHED\nend\t\t\n");
        }
        process.exitWith(0);

        assertEquals(new LaunchEnd(LaunchState.FINISHED, OptionalInt.of(0), "", ""), end(handle));
        assertEquals(List.of("CONNECTED", "SUBMITTED", "app-1", "RUNNING", "FINISHED"), seen);
        assertEquals(Optional.of("app-1"), handle.applicationId());
        assertEquals(Optional.empty(), handle.submissionId());
    }

    @Test
    void readsTheCauseOfAFailure() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket child = connect(server.secret())) {
            write(child, "submission\tdriver-1\nend\tTASK_FAILED\ta\\tb\\\\c\nstate\tFAILED\n");
        }
        process.exitWith(1);

        assertEquals(new LaunchEnd(LaunchState.FAILED, OptionalInt.of(1), "TASK_FAILED", "a\tb\\c"), end(handle));
        assertEquals(Optional.of("driver-1"), handle.submissionId());
    }

    @Test
    void countsAFailingExitAfterTheLastMessage() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket child = connect(server.secret())) {
            write(child, "state\tFINISHED\n");
        }
        process.exitWith(3);

        assertEquals(LaunchState.FAILED, end(handle).state());
        assertEquals(List.of("CONNECTED", "FINISHED", "FAILED"), seen);
    }

    @Test
    void countsAProcessThatNeverConnectsAsLost() throws Exception {
        LaunchHandle handle = follow(Duration.ofMillis(1));

        assertEquals(new LaunchEnd(LaunchState.LOST, OptionalInt.empty(), "", ""), end(handle));
        assertThrows(IllegalStateException.class, handle::stop);
    }

    @Test
    void countsAnEndWithoutAWordByTheExitStatus() throws Exception {
        LaunchHandle handle = follow(LONG);
        process.exitWith(2);

        assertEquals(new LaunchEnd(LaunchState.FAILED, OptionalInt.of(2), "", ""), end(handle));
    }

    @Test
    void closesAConnectionWithAnotherSecret() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket stranger = connect("wrong")) {
            write(stranger, "state\tRUNNING\n");
            assertTrue(isClosed(stranger), "a connection without the secret is closed");
        }
        assertEquals(LaunchState.UNKNOWN, handle.state());
        try (Socket child = connect(server.secret())) {
            write(child, "state\tRUNNING\n");
        }
        process.exitWith(0);

        assertEquals(LaunchState.LOST, end(handle).state());
        assertEquals(List.of("CONNECTED", "RUNNING", "LOST"), seen);
    }

    @Test
    void sendsTheRequestToStop() throws Exception {
        CompletableFuture<Void> connected = new CompletableFuture<>();
        LaunchHandle handle = ChildLaunch.follow(server, process, LONG, List.of(listener, new LaunchListener() {
            @Override
            public void stateChanged(LaunchHandle changed) {
                connected.complete(null);
            }
        }));
        assertThrows(IllegalStateException.class, handle::stop, "not connected yet");
        try (Socket child = connect(server.secret())) {
            connected.get(1, TimeUnit.MINUTES);
            handle.stop();
            assertEquals("stop", reader(child).readLine());
            write(child, "state\tKILLED\n");
        }
        process.exitWith(8);

        assertEquals(LaunchState.KILLED, end(handle).state());
    }

    @Test
    void killsTheProcess() throws Exception {
        LaunchHandle handle = follow(LONG);
        handle.kill();

        assertEquals(new LaunchEnd(LaunchState.KILLED, OptionalInt.of(137), "", ""), end(handle));
    }

    @Test
    void leavesTheApplicationAlone() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket child = connect(server.secret())) {
            handle.disconnect();
            assertEquals(LaunchState.LOST, end(handle).state());
            assertTrue(isClosed(child));
        }
        assertEquals(-1, process.exitValue(), "it still runs");
    }

    @Test
    void closesItsPortAtTheEnd() throws Exception {
        LaunchHandle handle = follow(LONG);
        handle.kill();
        end(handle);

        assertTrue(isRefused(), "a port that is closed serves nobody");
        try (LaunchServer next = LaunchServer.open()) {
            assertFalse(next.secret().equals(server.secret()));
        }
    }

    @Test
    void survivesAListenerThatFails() throws Exception {
        LaunchHandle handle = ChildLaunch.follow(
                server,
                process,
                LONG,
                List.of(
                        new LaunchListener() {
                            @Override
                            public void stateChanged(LaunchHandle changed) {
                                throw new IllegalStateException("of a test");
                            }
                        },
                        listener));
        process.exitWith(1);

        assertEquals(LaunchState.FAILED, end(handle).state());
        assertEquals(List.of("FAILED"), seen);
    }

    @Test
    void ignoresWhatItDoesNotKnow() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket child = connect(server.secret())) {
            write(child, "colour\tred\nstate\tBLUE\n\nstate\nstate\tFINISHED\n");
        }
        process.exitWith(0);

        assertEquals(LaunchState.FINISHED, end(handle).state());
    }

    @Test
    void closesAConnectionWithAnEndlessLine() throws Exception {
        LaunchHandle handle = follow(LONG);
        try (Socket child = connect(server.secret())) {
            write(child, "x".repeat(LaunchConnection.LINE_MAX + 1));
            assertTrue(isClosed(child));
        }
        process.exitWith(0);

        assertEquals(LaunchState.LOST, end(handle).state());
    }

    private LaunchHandle follow(Duration connectWithin) {
        return ChildLaunch.follow(server, process, connectWithin, List.of(listener));
    }

    private Socket connect(String secret) throws IOException {
        Socket child = new Socket(InetAddress.getLoopbackAddress(), server.port());
        child.setSoTimeout(60_000); // a test that waits in vain fails
        write(child, "hello\t1\t" + secret + "\t0.1.0\n");
        return child;
    }

    private static void write(Socket child, String text) throws IOException {
        child.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static BufferedReader reader(Socket child) throws IOException {
        return new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Linux may still take a connection while a thread returns from its wait on the closed port, and then resets it. */
    private boolean isRefused() {
        try (Socket child = connect(server.secret())) {
            return isClosed(child);
        } catch (IOException refused) {
            return true;
        }
    }

    private static boolean isClosed(Socket child) {
        try {
            return reader(child).readLine() == null;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    private static LaunchEnd end(LaunchHandle handle) throws Exception {
        return handle.exit().toCompletableFuture().get(1, TimeUnit.MINUTES);
    }
}
