package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.ApplicationEntry;
import dev.hearth.spi.cluster.ExecutorEntry;
import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.ApplicationProtocol.ApplicationRemoved;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.EndApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.KillApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ListedDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.ReleaseExecutors;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.StopExecutor;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Lists of applications, executors and drivers that a master shows, and kills of applications. */
class ClusterHistoryTest extends MasterFixture {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long START = Instant.parse("2026-11-18T09:47:46Z").toEpochMilli();

    @Test
    void showsWhetherAnApplicationWaitsOrRuns() {
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(2));
        assertEquals(ApplicationEntry.State.RUNNING, only().state(), "it wants nothing yet");
        want(id, 2);
        settle();
        assertEquals("waits for a worker with 2 free cores and 512 MiB free memory; workers now: 0", only().message());
        register("worker-a", 1, 1, 4_096);
        settle();
        assertEquals(ApplicationEntry.State.WAITING, only().state());
        assertTrue(
                only().message()
                        .startsWith("no worker can hold an executor with 2 cores and 512 MiB of memory (expected:"),
                only().message());
        register("worker-b", 2, 4);
        settle();
        now = 5 * SECOND;
        ApplicationEntry shown = only();
        assertEquals(ApplicationEntry.State.RUNNING, shown.state());
        assertEquals("", shown.message());
        assertEquals(OptionalInt.of(4), shown.cores());
        assertEquals(OptionalInt.of(2), shown.executors());
        assertEquals(OptionalLong.of(512), shown.memoryPerExecutorMebibytes());
        assertEquals(OptionalLong.of(START), shown.submittedMillis());
        assertEquals(OptionalLong.of(5_000), shown.durationMillis());
        assertEquals("h:1", shown.driver());
    }

    @Test
    void showsTheResultThatADriverReports() {
        for (String result : List.of("FINISHED", "FAILED", "KILLED", "strange")) {
            ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
            now += SECOND;
            master.end(new EndApplication(id, result), APPLICATION, now);
        }
        assertEquals(
                List.of("FINISHED", "FAILED", "KILLED", "FAILED"),
                master.applicationEntries(now).stream()
                        .map(entry -> entry.state().name())
                        .toList());
        assertEquals(
                OptionalLong.of(START + 1_000),
                master.applicationEntries(now).get(0).endedMillis());
    }

    @Test
    void showsAnApplicationWhoseDriverDiedAsFailed() {
        application(OptionalInt.empty(), OptionalInt.of(1));
        master.peerLost(APPLICATION, "connection reset", now);
        assertEquals(ApplicationEntry.State.FAILED, only().state());
        assertEquals("its driver is lost: connection reset", only().message());
    }

    @Test
    void showsAnApplicationWhoseDriverWasKilledAsKilled() {
        register("worker-a", 1, 4);
        for (String first : List.of("connection", "driver", "application")) {
            SubmissionId driver = driver("request " + first);
            ApplicationId id = applicationOf(driver);
            master.kill(driver, now);
            DriverEnded end = new DriverEnded(driver, OptionalInt.of(137), "exit status 137", "", "");
            if (first.equals("driver")) {
                master.driverEnded(end, 1, now);
            } else if (first.equals("application")) {
                master.end(new EndApplication(id, "FAILED"), APPLICATION, now); // as its driver sees it
            }
            master.peerLost(APPLICATION, "closed", now);
            master.driverEnded(end, 1, now);
            settle();
            String summary = " (pi) of ann has ended: KILLED, its driver was killed; ";
            assertTrue(
                    notes.stream().anyMatch(note -> note.startsWith("INFO application " + id + summary)),
                    notes::toString);
            assertTrue(notes.contains("INFO driver " + driver + " (pi) is KILLED: exit status 137"), notes::toString);
            ApplicationEntry shown = last(master.applicationEntries(now));
            assertEquals(ApplicationEntry.State.KILLED, shown.state());
            assertEquals("its driver was killed", shown.message());
            assertEquals("ann", shown.user());
            assertEquals(Optional.of(driver), shown.submission());
        }
    }

    @Test
    void showsADriverAsKilledIfItFailsBecauseItsApplicationWasKilled() {
        register("worker-a", 1, 4);
        for (int status : List.of(8, 0)) {
            SubmissionId driver = driver("request " + status);
            ApplicationId id = applicationOf(driver);
            master.kill(new KillApplication(id, "by ann"), now);
            String text = "exit status " + status;
            master.driverEnded(new DriverEnded(driver, OptionalInt.of(status), text, "", ""), 1, now);
            settle();
            String state = status == 0 ? "FINISHED" : "KILLED"; // a driver may do without the application
            assertEquals("INFO driver " + driver + " (pi) is " + state + ": " + text, last(notes));
            assertEquals(state, last(master.driverEntries()).status().state().name());
        }
    }

    private SubmissionId driver(String request) {
        DriverSpec spec = new DriverSpec("pi", "example.Pi", "a.jar", List.of(), Map.of(), 1, 512);
        SubmissionId driver =
                master.submit(new SubmitDriver(request, spec, ""), now).submission();
        settle();
        return driver;
    }

    private ApplicationId applicationOf(SubmissionId driver) {
        return master.registerApplication(
                        new RegisterApplication(
                                "pi",
                                "application",
                                "hearth://driver-1@h:1",
                                OptionalInt.empty(),
                                OptionalInt.of(1),
                                512,
                                Map.of(),
                                Map.of(),
                                "ann",
                                Optional.of(driver),
                                0),
                        APPLICATION,
                        now)
                .application();
    }

    @Test
    void killsAnApplicationOnce() {
        register("worker-a", 1, 4);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        want(id, 1);
        settle();
        ApplicationEntry before =
                master.kill(new KillApplication(id, "by ann"), now).application();
        assertEquals(ApplicationEntry.State.RUNNING, before.state());
        settle();
        assertEquals(List.of(new ApplicationRemoved("killed: by ann", true)), messages(ApplicationRemoved.class));
        assertEquals(List.of(new StopExecutor(id, new ExecutorId("0"))), messages(StopExecutor.class));
        assertEquals(ApplicationEntry.State.KILLED, only().state());
        assertEquals("by ann", only().message());
        master.end(new EndApplication(id, "FAILED"), APPLICATION, now);
        master.peerLost(APPLICATION, "closed", now);
        ApplicationEntry again =
                master.kill(new KillApplication(id, "again"), now).application();
        assertEquals(ApplicationEntry.State.KILLED, again.state(), "the first end counts");
        assertEquals("by ann", again.message());
        HearthException unknown = assertThrows(
                HearthException.class, () -> master.kill(new KillApplication(new ApplicationId("app-2"), ""), now));
        assertTrue(unknown.getMessage().startsWith("application app-2: not known to this master"));
        assertEquals("APPLICATION_UNKNOWN", unknown.code());
    }

    @Test
    void showsHowEachExecutorEnded() {
        register("worker-a", 1, 3);
        register("worker-b", 2, 1);
        ApplicationId id = application(OptionalInt.empty(), OptionalInt.of(1));
        want(id, 4);
        settle();
        assertEquals(List.of("0 RUNNING", "1 RUNNING", "2 RUNNING", "3 RUNNING"), executors(id));
        ExecutorEntry first = master.executorEntries(Optional.of(id)).get(0);
        assertEquals("worker-a 10.0.0.1", first.worker() + " " + first.host());
        assertEquals(
                "file://10.0.0.1/directories/" + id + "/0/stderr", first.logs().get("stderr"));
        want(id, 0);
        now = SECOND;
        master.executorEnded(ended(id, "0", 3), 1, now);
        master.release(new ReleaseExecutors(id, List.of(new ExecutorId("1")), "idle"), APPLICATION);
        assertEquals("is being stopped", executor(id, "1").message());
        master.executorEnded(ended(id, "1", 143), 1, now);
        String onB = master.executorEntries(Optional.of(id)).stream()
                .filter(entry -> entry.worker().equals("worker-b"))
                .map(entry -> entry.id().value())
                .findFirst()
                .orElseThrow();
        master.peerLost(2, "connection reset", now);
        String rest = onB.equals("2") ? "3" : "2";
        master.end(new EndApplication(id, "FINISHED"), APPLICATION, now);
        assertEquals(List.of("0 EXITED", "1 KILLED", onB + " LOST", rest + " KILLED"), executors(id));
        assertEquals(OptionalInt.of(3), executor(id, "0").exitStatus());
        assertEquals(OptionalLong.of(START + 1_000), executor(id, "0").endedMillis());
        assertEquals("its application has ended", executor(id, rest).message());
        master.executorEnded(ended(id, rest, 0), 1, now);
        assertEquals(OptionalInt.of(0), executor(id, rest).exitStatus(), "reported later");
        assertEquals(List.of(), executors(new ApplicationId("app-2")));
    }

    @Test
    void remembersALimitedNumberOfWhatEnded() {
        Master small = new Master(
                settings(Map.of("spark.deploy.retainedApplications", "2", "hearth.deploy.retainedExecutors", "1")),
                new IdGenerator(Instant.EPOCH, 0),
                0);
        small.registerWorker(new RegisterWorker("worker-a", "h", 1, 8, 8_192, ""), 1, 0);
        for (int i = 0; i < 5; i++) {
            ApplicationId id = small.registerApplication(
                            new RegisterApplication(
                                    "pi" + i, "application", "", OptionalInt.empty(), OptionalInt.of(1), 1, Map.of()),
                            APPLICATION,
                            0)
                    .application();
            small.want(new WantExecutors(id, 1, List.of(), Map.of()), APPLICATION);
            small.settle(0);
            small.end(new EndApplication(id, "FINISHED"), APPLICATION, 0);
            assertEquals(
                    List.of(id),
                    small.executorEntries(Optional.empty()).stream()
                            .map(ExecutorEntry::application)
                            .toList());
        }
        long retained = MasterSettings.DEFAULTS.drivers().retainedTime().toNanos();
        small.settle(retained - 1);
        assertEquals(5, small.applicationEntries(0).size(), "within hearth.deploy.retainedTime");
        small.settle(retained);
        assertEquals(
                List.of("pi3", "pi4"),
                small.applicationEntries(0).stream().map(ApplicationEntry::name).toList());
    }

    @Test
    void listsDriversWithWhatTheyAskedFor() {
        master.submit(
                new SubmitDriver(
                        "request",
                        new DriverSpec("pi", "example.Pi", "a.jar", List.of("secret"), Map.of(), 2, 512),
                        ""),
                now);
        ListedDriver waiting = master.driverEntries().get(0);
        assertEquals(DriverState.SUBMITTED, waiting.status().state());
        register("worker-a", 1, 4);
        settle();
        ListedDriver listed = master.driverEntries().get(0);
        assertEquals("worker-a", listed.shown().worker());
        assertEquals("10.0.0.1", listed.shown().host());
        assertEquals("example.Pi", listed.shown().mainClass());
        assertEquals(OptionalInt.of(2), listed.shown().cores());
        assertEquals(OptionalLong.of(START), listed.shown().submittedMillis());
    }

    private void want(ApplicationId id, int executors) {
        master.want(new WantExecutors(id, executors, List.of(), Map.of()), APPLICATION);
    }

    private ApplicationEntry only() {
        List<ApplicationEntry> entries = master.applicationEntries(now);
        assertEquals(1, entries.size());
        return entries.get(0);
    }

    private List<String> executors(ApplicationId id) {
        return master.executorEntries(Optional.of(id)).stream()
                .map(entry -> entry.id() + " " + entry.state())
                .toList();
    }

    private ExecutorEntry executor(ApplicationId id, String executor) {
        return master.executorEntries(Optional.of(id)).stream()
                .filter(entry -> entry.id().value().equals(executor))
                .findFirst()
                .orElseThrow();
    }

    private static <T> T last(List<T> entries) {
        return entries.get(entries.size() - 1);
    }
}
