package dev.hearth.standalone.internal.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.settings.Settings;
import dev.hearth.standalone.internal.client.StandaloneSubmitter;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.FactForm;
import dev.hearth.standalone.internal.master.MasterSettings;
import dev.hearth.standalone.internal.master.UploadDesk;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import dev.hearth.testkit.TestingSubmissionServices;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Tests what a master process answers before and after it leads, and that clients find the one that leads. */
class MasterSeatTest {
    private static final SubmissionId DRIVER = new SubmissionId("driver-20261120101010-0000");
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private final Simulation simulation = new Simulation(1);
    private final List<MasterState> moves = new ArrayList<>();
    private final List<Bytes> appended = new ArrayList<>();
    private int clients;

    private MasterSeat seat(String host) {
        SimulatedProcess process = simulation.process("master@" + host);
        return new MasterSeat(
                MasterSettings.DEFAULTS,
                process.loop("master"),
                process.env(host, 7077),
                UploadDesk.NONE,
                host + ":7077",
                (state, view, shell) -> moves.add(state));
    }

    private CompletableFuture<SubmissionStatus> status(String masters) {
        SimulatedProcess process = simulation.process("client-" + clients++);
        EventLoop loop = process.loop("client");
        CompletableFuture<SubmissionStatus> found = new CompletableFuture<>();
        loop.execute(() -> new StandaloneSubmitter(
                        MasterUrl.parse("hearth://" + masters),
                        new TestingSubmissionServices(process.env(), loop, Settings.empty()))
                .status(DRIVER)
                .whenComplete((status, failure) -> {
                    if (failure == null) {
                        found.complete(status);
                    } else {
                        found.completeExceptionally(Failures.unwrap(failure));
                    }
                }));
        simulation.runFor(MOMENT);
        return found;
    }

    private static String why(CompletableFuture<SubmissionStatus> refused) {
        assertTrue(refused.isCompletedExceptionally());
        Throwable why = refused.handle((status, failure) -> failure).join();
        assertEquals(ErrorCode.CLUSTER_UNREACHABLE, Failures.code(why));
        return Failures.describe(why);
    }

    @Test
    void refusesRequestsUntilItLeadsAndThenKnowsWhatTheMasterBeforeKnew() {
        MasterSeat seat = seat("10.0.0.1");
        assertTrue(why(status("10.0.0.1:7077")).contains("STANDBY (expected: ALIVE), as it is not known"));
        assertFalse(seat.decided().isDone());
        seat.following("10.0.0.2:7077");
        assertTrue(seat.decided().isDone());
        assertTrue(why(status("10.0.0.1:7077")).contains("the leader is 10.0.0.2:7077; ask that one"));
        seat.recovering();
        assertTrue(why(status("10.0.0.1:7077")).contains("RECOVERING"));
        seat.replay(new FactForm()
                .bytes(new Fact.DriverTaken(
                        DRIVER, "request", new DriverSpec("d", "x.D", "/x.jar", List.of(), Map.of(), 1, 512), 5)));
        seat.leading(2, new MemoryLog());
        simulation.runFor(MOMENT);

        assertEquals(SubmissionState.SUBMITTED, status("10.0.0.1:7077").join().state());
        assertEquals(List.of(MasterState.STANDBY, MasterState.RECOVERING, MasterState.ALIVE), moves);
        assertEquals(
                2,
                ((Fact.EpochBegun) new FactForm().read(appended.get(0))).epoch(),
                "the first fact of the new master");
    }

    @Test
    void isFoundBehindAStandby() {
        MasterSeat standby = seat("10.0.0.1");
        MasterSeat leader = seat("10.0.0.2");
        CompletableFuture<SubmissionStatus> refused = status("10.0.0.1:7077,10.0.0.2:7077");
        assertFalse(refused.isDone(), "a master may lead soon");
        simulation.runFor(Duration.ofSeconds(40));
        String why = why(refused);
        assertTrue(why.startsWith("none of 2 masters leads:\n  master 10.0.0.1:7077: STANDBY (expected: ALIVE)"), why);
        CompletableFuture<SubmissionStatus> unknown = status("10.0.0.1:7077,10.0.0.2:7077");
        leader.lead();
        simulation.runFor(Duration.ofSeconds(5));
        assertTrue(unknown.isDone());
        assertEquals(
                ErrorCode.SUBMISSION_UNKNOWN,
                Failures.code(unknown.handle((status, failure) -> failure).join()));
        assertEquals(MasterState.STANDBY, standby.state());
    }

    @Test
    void standsByAgainWhenAnotherMasterMayLeadAndLeadsLater() {
        MasterSeat seat = seat("10.0.0.1");
        for (int epoch = 1; epoch <= 2; epoch++) {
            seat.recovering();
            seat.leading(epoch, new MemoryLog());
            simulation.runFor(MOMENT);
            CompletableFuture<SubmissionStatus> unknown = status("10.0.0.1:7077");
            assertEquals(
                    ErrorCode.SUBMISSION_UNKNOWN,
                    Failures.code(unknown.handle((status, failure) -> failure).join()));
            seat.lost("its session has ended");
            seat.following("10.0.0.2:7077");
            simulation.runFor(MOMENT);
            assertTrue(why(status("10.0.0.1:7077")).contains("the leader is 10.0.0.2:7077"));
        }
        assertFalse(seat.failed().isDone());
        assertEquals(2, moves.stream().filter(MasterState.ALIVE::equals).count());
    }

    @Test
    void failsIfTheLogCannotBeRead() {
        MasterSeat seat = seat("10.0.0.1");
        seat.recovering();
        simulation.runFor(MOMENT);
        seat.failed(ErrorCode.FILE_DAMAGED.failure("facts-1 in /x: missing"));
        assertTrue(seat.decided().isCompletedExceptionally());
        assertTrue(seat.failed().isCompletedExceptionally());
        assertEquals(MasterState.RECOVERING, seat.state());
    }

    @Test
    void failsIfItCannotGoOnWithWhatTheMasterBeforeHasLeft() {
        MasterSeat seat = seat("10.0.0.1");
        seat.recovering();
        seat.leading(1, new MemoryLog() {
            @Override
            public CompletionStage<Void> append(List<Bytes> facts) {
                throw new IllegalStateException("a defect");
            }
        });
        simulation.runFor(MOMENT);
        Throwable why = seat.failed().handle((never, failure) -> failure).join();
        assertEquals(ErrorCode.INTERNAL, Failures.code(why));
        assertTrue(seat.decided().isCompletedExceptionally());
        assertEquals(MasterState.RECOVERING, seat.state());
    }

    /** Log that keeps all facts at once. */
    private class MemoryLog implements FactLog {
        @Override
        public CompletionStage<Void> append(List<Bytes> facts) {
            appended.addAll(facts);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public Optional<String> hindrance() {
            return Optional.empty();
        }

        @Override
        public boolean wantsSnapshot() {
            return false;
        }

        @Override
        public CompletionStage<Void> snapshot(Iterable<Bytes> facts) {
            return CompletableFuture.completedStage(null);
        }
    }
}
