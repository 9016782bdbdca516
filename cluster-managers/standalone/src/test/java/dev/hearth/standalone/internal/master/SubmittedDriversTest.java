package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.SubmitterProtocol.DriverChanged;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how many drivers a master runs and accepts, and how long it remembers drivers and requests. */
class SubmittedDriversTest {
    private static final long WORKER = 1;
    private static final long SUBMITTER = 7;

    private final List<Record> sent = new ArrayList<>();
    private Master master = master(Map.of());
    private long now;

    private static Master master(Map<String, String> settings) {
        Master master = new Master(
                MasterFixture.settings(settings), new IdGenerator(Instant.parse("2026-11-18T09:47:46Z"), 0), 0);
        master.registerWorker(new RegisterWorker("worker-a", "h", 7078, 16, 16_384, "/work"), WORKER, 0);
        return master;
    }

    @Test
    void runsAtMostAsManyDriversAsTheSettingSays() {
        master = master(Map.of("hearth.deploy.maxDrivers", "1"));
        SubmissionId first = submit("a");
        SubmissionId second = submit("b");
        settle();
        assertEquals(List.of(first), launched());
        assertEquals(
                "waits until a driver ends, as 1 run, which is hearth.deploy.maxDrivers",
                status(second).message());
        end(first);
        settle();
        assertEquals(List.of(first, second), launched());
    }

    @Test
    void refusesMoreSubmissionsThanTheSettingSays() {
        master = master(Map.of("hearth.deploy.submissionsMax", "2"));
        SubmissionId first = submit("a");
        submit("b");
        HearthException refused = assertThrows(HearthException.class, () -> submit("c"));
        assertEquals("SUBMISSION_REFUSED", refused.code());
        assertTrue(refused.getMessage().contains("2 drivers wait or run already"), refused::getMessage);
        settle();
        end(first);
        submit("c");
    }

    @Test
    void refusesASubmissionThatIsTooLarge() {
        master = master(Map.of("hearth.deploy.submissionBytesMax", "2000"));
        HearthException refused =
                assertThrows(HearthException.class, () -> submit("a", spec(1, List.of("ä".repeat(1_000)))));
        assertTrue(refused.getMessage().contains("hearth.deploy.submissionBytesMax = 2000"), refused::getMessage);
        submit("a", spec(1, List.of("x".repeat(1_900))));
    }

    @Test
    void startsNoSecondDriverForARequestWhoseDriverIsForgotten() {
        master = master(Map.of("hearth.deploy.retainedDrivers", "0", "hearth.deploy.retainedTime", "0s"));
        SubmissionId first = submit("a");
        settle();
        end(first);
        assertThrows(HearthException.class, () -> master.find(first), "the driver is forgotten");
        assertEquals(first, submit("a"));
        settle();
        assertEquals(List.of(first), launched());
        DriverStatus last = ((DriverChanged) sent.get(sent.size() - 1)).status();
        assertEquals(DriverState.FINISHED, last.state(), "a submitter that waits learns that the driver has ended");
    }

    @Test
    void forgetsRequestsAfterTheirTimeUnlessTheirDriversRun() {
        master = master(Map.of("hearth.deploy.requestsKeptTime", "1h"));
        SubmissionId runs = submit("runs");
        SubmissionId ended = submit("ended");
        settle();
        end(ended);
        now += Duration.ofHours(1).plusSeconds(1).toNanos();
        IntStream.range(0, 3).forEach(i -> end(place(submit("other-" + i))));
        assertEquals(runs, submit("runs"));
        assertNotEquals(ended, submit("ended"));
    }

    @Test
    void remembersAsManyRequestsAsTheSettingSays() {
        RequestLog<String> requests = new RequestLog<>(3, Duration.ofHours(1));
        for (int i = 0; i < 10; i++) {
            requests.add("r" + i, "d" + i, i, driver -> true);
        }
        assertEquals(3, requests.size());
        assertTrue(requests.find("r6").isEmpty());
        assertEquals("d9", requests.find("r9").orElseThrow());
    }

    @Test
    void retainsEndedDriversForATimeAndTheLastOnesForEver() {
        master = master(Map.of("hearth.deploy.retainedDrivers", "2", "hearth.deploy.retainedTime", "15m"));
        List<SubmissionId> ids =
                IntStream.range(0, 5).mapToObj(i -> place(submit("r" + i))).toList();
        ids.forEach(this::end);
        assertEquals(5, master.find(new FindDrivers("*")).statuses().size());
        assertEquals("", status(ids.get(0)).output(), "only the last ones keep their output");
        assertEquals("out", status(ids.get(4)).output());
        now += Duration.ofMinutes(15).toNanos();
        settle();
        assertEquals(
                ids.subList(3, 5),
                master.find(new FindDrivers("*")).statuses().stream()
                        .map(DriverStatus::submission)
                        .toList());
    }

    @Test
    void clearsDriversThatHaveEnded() {
        SubmissionId runs = place(submit("a"));
        SubmissionId ended = place(submit("b"));
        end(ended);
        assertEquals(1, master.clearDrivers().drivers());
        assertThrows(HearthException.class, () -> master.find(ended));
        assertEquals(DriverState.RUNNING, status(runs).state());
        assertEquals(ended, submit("b"), "its request is still known");
    }

    @Test
    void placesWaitingDriversInTheOrderOfTheirSubmissionAsFarAsTheyFit() {
        SubmissionId large = submit("large", spec(12, List.of()));
        SubmissionId larger = submit("larger", spec(10, List.of()));
        SubmissionId small = submit("small", spec(4, List.of()));
        SubmissionId other = submit("other", spec(4, List.of()));
        settle();
        assertEquals(List.of(large, small), launched());
        master.kill(other, now);
        end(small);
        end(large);
        settle();
        assertEquals(List.of(large, small, larger), launched());
        assertEquals(DriverState.KILLED, status(other).state());
    }

    @Test
    void announcesOnceThatADriverWaits() {
        submit("a", spec(99, List.of()));
        settle();
        settle();
        submit("b", spec(99, List.of()));
        settle();
        assertEquals(2, sent.stream().filter(DriverChanged.class::isInstance).count());
        assertTrue(sent.stream()
                .allMatch(
                        message -> ((DriverChanged) message).status().message().startsWith("waits")));
    }

    @Test
    void sendsNothingToASubmitterWhoseConnectionIsLost() {
        SubmissionId id = place(submit("a"));
        sent.clear();
        master.peerLost(SUBMITTER, "gone", now);
        end(id);
        settle();
        assertFalse(sent.stream().anyMatch(DriverChanged.class::isInstance));
    }

    private SubmissionId place(SubmissionId id) {
        settle();
        assertEquals(DriverState.RUNNING, status(id).state());
        return id;
    }

    private SubmissionId submit(String request) {
        return submit(request, spec(1, List.of()));
    }

    private static DriverSpec spec(int cores, List<String> arguments) {
        return new DriverSpec("pi", "x.Pi", "/x.jar", arguments, Map.of(), cores, 512);
    }

    private SubmissionId submit(String request, DriverSpec spec) {
        SubmitDriver submission = new SubmitDriver(request, spec, "submitter");
        SubmissionId id = master.submit(submission, now).submission();
        master.acknowledged(submission, SUBMITTER);
        return id;
    }

    private void end(SubmissionId id) {
        master.driverEnded(new DriverEnded(id, OptionalInt.of(0), "exit status 0", "out", ""), WORKER, now);
    }

    private DriverStatus status(SubmissionId id) {
        return master.find(id).status();
    }

    private List<SubmissionId> launched() {
        return sent.stream()
                .filter(LaunchDriver.class::isInstance)
                .map(message -> ((LaunchDriver) message).submission())
                .toList();
    }

    private void settle() {
        master.settle(now).forEach(effect -> {
            if (effect instanceof MasterEffect.Send send) {
                sent.add(send.message());
            }
        });
    }
}
