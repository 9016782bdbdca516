package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Log lines of a master at the end of applications, drivers, executors and workers. */
class MasterNotesTest extends MasterFixture {
    @Test
    void sumsUpAnApplicationInOneLine() {
        register("worker-a", 1, 4);
        ApplicationId id = running(2);
        now = Duration.ofMillis(12_340).toNanos();
        master.end(new EndApplication(id, "FINISHED"), APPLICATION, now);
        master.executorEnded(ended(id, "0", 143), 1, now);
        settle();
        assertEquals(
                List.of(
                        "INFO application " + id + " (pi) has ended: FINISHED; 2 executors, 4 cores, 12.3 s",
                        "INFO executor 0 of " + id + " has ended as ordered"),
                notes);
    }

    @Test
    void warnsOfAnApplicationWhoseDriverIsLost() {
        register("worker-a", 1, 1);
        ApplicationId id = running(1);
        master.peerLost(APPLICATION, "connection reset", now);
        settle();
        assertEquals(
                List.of("WARN application " + id
                        + " (pi) has ended: FAILED, its driver is lost: connection reset; 1 executor,"
                        + " 1 core, 0.0 s"),
                notes);
    }

    @Test
    void warnsOfALostWorkerAndOfWhatRanThere() {
        register("worker-a", 1, 4);
        SubmissionId driver = submit("r");
        running(1);
        master.peerLost(1, "connection reset", now);
        settle();
        assertEquals(
                List.of(
                        "WARN worker worker-a is lost: connection reset; with it 1 driver and 1 executor",
                        "WARN driver " + driver + " (pi) is ERROR: worker worker-a is lost: connection reset"),
                notes);
    }

    @Test
    void warnsOfFailedDriversAndExecutorsOnly() {
        register("worker-a", 1, 4);
        ApplicationId id = running(1);
        SubmissionId good = submit("a");
        SubmissionId bad = submit("b");
        settle();
        master.executorEnded(ended(id, "0", 52), 1, now);
        master.driverEnded(new DriverEnded(good, OptionalInt.of(0), "exit status 0", "", ""), 1, now);
        master.driverEnded(new DriverEnded(bad, OptionalInt.of(1), "exit status 1", "", ""), 1, now);
        settle();
        assertEquals(
                List.of(
                        "WARN executor 0 of " + id + " has ended: exit status 52",
                        "INFO driver " + good + " (pi) is FINISHED: exit status 0",
                        "WARN driver " + bad + " (pi) is FAILED: exit status 1"),
                notes);
    }

    private ApplicationId running(int executors) {
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(executors == 1 ? 1 : 2));
        master.want(new WantExecutors(id, executors, List.of(), Map.of()), APPLICATION);
        settle();
        return id;
    }

    private SubmissionId submit(String request) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of(), Map.of(), 1, 1_024);
        SubmissionId id =
                master.submit(new SubmitDriver(request, spec, ""), now).submission();
        settle();
        return id;
    }
}
