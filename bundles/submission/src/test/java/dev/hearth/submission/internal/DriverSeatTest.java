package dev.hearth.submission.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.cluster.PinnedManager;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileStoreRegistry;
import dev.hearth.submission.api.OwnLoader;
import dev.hearth.submission.api.RecordingEngine;
import dev.hearth.submission.applications.Applications;
import dev.hearth.testkit.TestingClusterManager;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver that runs its application between the two calls of its manager's seat. */
@Timeout(30)
class DriverSeatTest {
    private static final String RUNS = Applications.ReportsItself.class.getName();

    private final RecordingEngine engine = new RecordingEngine();
    private final List<String> pinned = new ArrayList<>();
    private final DriverRole role = role(Duration.ofSeconds(20));
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void beginsBeforeTheApplicationAndEndsAfterItsContexts() throws Exception {
        role.addSeat(new Seat(), Map.of(DriverSeat.SCHEME, new String[] {"other", "yarn"}));
        assertEquals(0, role.run(launch(RUNS)).status());
        List<String> happened = engine.happened();
        assertEquals("seat " + RUNS, happened.get(0));
        assertEquals("begin yarn", happened.get(1));
        assertEquals(List.of("closed", "ended 0 ''"), happened.subList(happened.size() - 2, happened.size()));
        assertEquals(List.of("yarn for driver"), pinned, "the pin starts the bundle of the manager");
    }

    @Test
    void reportsWhyTheApplicationFailed() {
        role.addSeat(new Seat(), Map.of(DriverSeat.SCHEME, "yarn"));
        HearthException failure = assertThrows(HearthException.class, () -> role.run(launch("no.such.Application")));
        assertEquals(ErrorCode.CLASS_MISSING.name(), failure.code());
        assertEquals("ended " + ErrorCode.CLASS_MISSING.exit().status() + " '" + failure.getMessage() + "'", last());
    }

    @Test
    void printsAFailureOnceAndBeforeTheSeatReportsTheEnd() {
        List<String> printed = new ArrayList<>();
        role.addSeat(
                new Seat() {
                    @Override
                    public void ended(ExitStatus status, String words) {
                        printed.add(err.toString(StandardCharsets.UTF_8));
                    }
                },
                Map.of(DriverSeat.SCHEME, "yarn"));
        HearthException failure = assertThrows(HearthException.class, () -> role.run(launch("no.such.Application")));
        assertEquals(List.of(err.toString(StandardCharsets.UTF_8)), printed, "nothing is printed afterwards");
        assertEquals(
                2,
                printed.get(0).split(Pattern.quote(String.valueOf(failure.getMessage())), -1).length,
                printed::toString);
    }

    @Test
    void keepsTheStatusWhenTheSeatFailsAtTheEnd() throws Exception {
        role.addSeat(
                new Seat() {
                    @Override
                    public void ended(ExitStatus status, String words) {
                        throw new IllegalStateException("gone");
                    }
                },
                Map.of(DriverSeat.SCHEME, "yarn"));
        assertEquals(0, role.run(launch(RUNS)).status());
    }

    @Test
    void endsClearlyWithoutItsSeat() {
        DriverRole waiting = role(Duration.ofMillis(1));
        waiting.addSeat(new Seat(), Map.of(DriverSeat.SCHEME, "other"));
        Seat left = new Seat();
        waiting.addSeat(left, Map.of(DriverSeat.SCHEME, "yarn"));
        waiting.removeSeat(left);
        HearthException failure = assertThrows(HearthException.class, () -> waiting.run(launch(RUNS)));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        assertTrue(
                String.valueOf(failure.getMessage())
                        .startsWith("seat of the driver for masters 'yarn': none after 1 ms (expected: a service"
                                + " DriverSeat with hearth.cluster-manager.scheme=yarn"),
                failure::getMessage);
        assertEquals(List.of(), engine.happened());
    }

    @Test
    void endsClearlyWhenTheSeatRefuses() {
        role.addSeat(
                new Seat() {
                    @Override
                    public void begin(SubmissionPlan plan) {
                        throw new LinkageError("a class is missing");
                    }
                },
                Map.of(DriverSeat.SCHEME, "yarn"));
        HearthException failure = assertThrows(HearthException.class, () -> role.run(launch(RUNS)));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        assertEquals(
                "seat of the driver: cannot begin recorded: java.lang.LinkageError: a class is missing (expected: the"
                        + " cluster manager accepts the driver)",
                failure.getMessage());
        assertEquals(List.of(), engine.happened(), "no code of the application, no end");
    }

    @Test
    void interruptsASeatThatBlocksWhenTheDriverIsToEnd() throws Exception {
        CompletableFuture<Void> interrupted = new CompletableFuture<>();
        role.addSeat(
                new Seat() {
                    @Override
                    public void begin(SubmissionPlan plan) throws InterruptedException {
                        role.stop();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException asked) {
                            interrupted.complete(null);
                            throw asked;
                        }
                    }
                },
                Map.of(DriverSeat.SCHEME, "yarn"));
        assertEquals(143, role.run(launch(RUNS)).status());
        interrupted.get();
        assertEquals(List.of(), engine.happened());
    }

    @Test
    void reportsThatTheDriverWasStopped() throws Exception {
        role.addSeat(new Seat(), Map.of(DriverSeat.SCHEME, "yarn"));
        CompletableFuture<Integer> status = new CompletableFuture<>();
        Thread main = new Thread(() -> {
            try {
                status.complete(
                        role.run(launch(Applications.Waits.class.getName())).status());
            } catch (Throwable failure) {
                status.completeExceptionally(failure);
            }
        });
        main.setDaemon(true);
        main.start();
        engine.opened().join();
        role.stop();
        assertEquals(143, status.get());
        assertEquals("ended 143 'application recorded: stopped (expected: to run to its end)'", last());
    }

    private DriverRole role(Duration seatBound) {
        return new DriverRole(
                settings -> {
                    throw new AssertionError("opened an RPC environment");
                },
                new TestingLogs(),
                (application, jars) -> new OwnLoader(jars),
                engine,
                (master, holder) -> {
                    pinned.add(master + " for " + holder);
                    return PinnedManager.forEver(TestingClusterManager.recording("a", driver -> {}, event -> {}));
                },
                FileStoreRegistry.of(List::of),
                (request, listener) -> List.of(),
                Path.of("/drivers/driver-1"),
                seatBound);
    }

    private RoleLaunch launch(String mainClass) {
        PrintStream stream = new PrintStream(err, true, StandardCharsets.UTF_8);
        Map<String, String> orders = new LinkedHashMap<>();
        orders.put("hearth.submission.mainClass", mainClass);
        orders.put("hearth.submission.jar", "/a.jar");
        orders.put("hearth.app.name", "recorded");
        orders.put("hearth.master", "yarn");
        return new RoleLaunch(
                Path.of("home"), List.of(), DriverOrders.seated(orders), Settings.empty(), stream, stream);
    }

    private String last() {
        return engine.happened().get(engine.happened().size() - 1);
    }

    /** Seat that records its calls among those of the engine. */
    private class Seat implements DriverSeat {
        @Override
        public void begin(SubmissionPlan plan) throws Exception {
            engine.happened().add("seat " + plan.mainClass());
        }

        @Override
        public void ended(ExitStatus status, String words) {
            engine.happened().add("ended " + status.status() + " '" + words + "'");
        }
    }
}
