package dev.hearth.standalone.internal.master;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.contents.ContentLedger;
import dev.hearth.standalone.internal.ledger.Fact;
import dev.hearth.standalone.internal.ledger.FactForm;
import dev.hearth.standalone.internal.ledger.MasterLedger;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverEnded;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverRestarts;
import dev.hearth.standalone.internal.protocol.MasterProtocol.DriverStarted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FindDrivers;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterApplication;
import dev.hearth.standalone.internal.protocol.MasterProtocol.RegisterWorker;
import dev.hearth.standalone.internal.protocol.MasterProtocol.SubmitDriver;
import dev.hearth.standalone.internal.protocol.WorkerProtocol.LaunchDriver;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what a master knows of the one before, and that its facts say all of it. */
class MasterRecoveryTest {
    private static final Instant WALL = Instant.parse("2026-11-20T10:00:00Z");
    private static final MasterLedger.Bounds BOUNDS = new MasterLedger.Bounds(2, 50, Duration.ofHours(1));
    private static final MasterSettings SETTINGS = MasterFixture.settings(Map.of(
            "hearth.deploy.retainedDrivers", "2",
            "hearth.deploy.retainedTime", "10s",
            "hearth.deploy.requestsKept", "1000"));

    private final FactForm form = new FactForm();
    private final List<Fact> log = new ArrayList<>();
    private final List<Record> sent = new ArrayList<>();
    private MasterLedger ledger = new MasterLedger(BOUNDS);
    private long now;
    private long peer = 1;
    private Master master = begin(ledger, WALL);

    private Master begin(MasterLedger from, Instant wall) {
        ledger = from;
        now = 0;
        return new Master(SETTINGS, new IdGenerator(wall, 0), ContentLedger.none(), Optional.of(from), now);
    }

    /** Ends the master, and starts another one with what the facts say. */
    private void restart() {
        restart(replayed(log), WALL);
    }

    private MasterLedger snapshotRead() {
        return replayed(
                ledger.snapshot().stream().map(form::bytes).map(form::read).toList());
    }

    private MasterLedger replayed(List<Fact> facts) {
        settle();
        MasterLedger replayed = new MasterLedger(BOUNDS);
        facts.forEach(replayed::apply);
        return replayed;
    }

    /** Starts a master whose clock shows {@code wall}. */
    private void restart(MasterLedger replayed, Instant wall) {
        sent.clear();
        peer++;
        Instant latest = Instant.ofEpochMilli(replayed.wallMillis());
        Instant start = wall.isBefore(latest) ? latest : wall;
        master = begin(replayed, start);
        Fact.EpochBegun begun = new Fact.EpochBegun(replayed.epoch() + 1, "master", start.toEpochMilli());
        replayed.apply(begun);
        log.add(begun);
    }

    private void settle() {
        master.settle(now).forEach(effect -> {
            if (effect instanceof MasterEffect.Send send) {
                sent.add(send.message());
            }
        });
        master.facts().forEach(fact -> log.add(form.read(form.bytes(fact))));
    }

    private void register() {
        RegisterWorker worker = new RegisterWorker("worker-a", "h", 7078, 4, 8_192, "/work", List.of(), true, true);
        assertEquals("", master.registerWorker(worker, peer, now).refusal());
        settle();
    }

    private SubmissionId submit(String request, boolean supervise) {
        DriverSpec spec = new DriverSpec("pi", "x.Pi", "/x.jar", List.of("10"), Map.of("k", "v"), 1, 512);
        SubmissionId id = master.submit(
                        new SubmitDriver(request, supervise ? spec.supervised(OptionalInt.empty()) : spec, ""), now)
                .submission();
        settle();
        return id;
    }

    private void end(SubmissionId id, int status) {
        master.driverEnded(
                new DriverEnded(id, OptionalInt.of(status), "exit status " + status, "out of " + id, ""), peer, now);
        settle();
    }

    private DriverStatus status(SubmissionId id) {
        return master.find(id).status();
    }

    @Test
    void startsADriverThatWaitedAndRemembersOneThatEnded() {
        SubmissionId waits = submit("waits", false);
        restart();
        assertEquals(DriverState.SUBMITTED, status(waits).state());
        assertEquals(waits, submit("waits", false), "a repeated request starts no second driver");
        register();
        LaunchDriver launched = (LaunchDriver) sent.get(0);
        assertEquals(waits, launched.submission());
        assertEquals(Map.of("k", "v"), launched.driver().settings());
        end(waits, 3);
        DriverStatus before = status(waits);
        restart();
        assertEquals(before, status(waits));
        assertEquals(waits, submit("waits", false));
        register();
        assertTrue(sent.isEmpty(), () -> "nothing is started again: " + sent);
    }

    @Test
    void saysHowTheDriversOfTheWorkersHaveEnded() {
        register();
        SubmissionId plain = submit("plain", false);
        SubmissionId supervised = submit("supervised", true);
        SubmissionId killed = submit("killed", true);
        master.kill(killed, now);
        restart();
        settle();
        assertEquals(DriverState.RUNNING, status(plain).state(), "it is awaited");
        register(); // an older worker, whose processes have ended
        assertEquals(DriverState.ERROR, status(plain).state());
        assertEquals("worker worker-a has registered without it", status(plain).message());
        assertEquals(DriverState.KILLED, status(killed).state());
        assertEquals(DriverState.RUNNING, status(supervised).state());
        assertEquals(2, status(supervised).attempt());
        restart();
        now += SETTINGS.recovery().workers().toNanos();
        settle();
        assertEquals(DriverState.RELAUNCHING, status(supervised).state());
        now += SETTINGS.fence().toNanos();
        settle();
        assertEquals(DriverState.SUBMITTED, status(supervised).state(), "its worker was lost for good");
    }

    @Test
    void givesNoIdTwiceEvenIfTheClockIsSetBack() {
        SubmissionId first = submit("a", false);
        RegisterApplication application = new RegisterApplication(
                "app", "e", "hearth://d@h:1", OptionalInt.empty(), OptionalInt.empty(), 100, Map.of());
        String one =
                master.registerApplication(application, 5, now).application().value();
        restart();
        SubmissionId second = submit("b", false);
        String two =
                master.registerApplication(application, 5, now).application().value();
        assertTrue(first.value().endsWith("-0000") && second.value().endsWith("-0001"), first + " " + second);
        assertTrue(one.endsWith("-0000") && two.endsWith("-0001"), one + " " + two);
    }

    @ParameterizedTest(name = "clock of every second master {0} ahead")
    @ValueSource(strings = {"PT1H", "PT-1H", "PT0S", "P1D"})
    void forgetsNothingEarlyBecauseClocksOfMastersDiffer(Duration ahead) {
        register();
        List<SubmissionId> ended = new ArrayList<>();
        for (int i = 0; i < 4; i++) { // two more than are retained without their time
            ended.add(submit("request-" + i, false));
            end(ended.get(i), 0);
        }
        for (int change = 1; change <= 5; change++) {
            now += Duration.ofSeconds(1).toNanos();
            submit("of master " + change, false);
            settle();
            restart(change > 3 ? snapshotRead() : replayed(log), WALL.plus(change % 2 == 0 ? Duration.ZERO : ahead));
            ended.forEach(id -> assertEquals(DriverState.FINISHED, status(id).state(), () -> id + " was forgotten"));
            assertEquals(ended.get(0), submit("request-0", false), "a repeated request starts no second driver");
        }
        now += Duration.ofSeconds(4).toNanos(); // nine seconds after the ends, as masters count
        master.expire(now);
        assertEquals(DriverState.FINISHED, status(ended.get(0)).state());
        now += Duration.ofSeconds(1).toNanos();
        master.expire(now);
        settle();
        assertThrows(HearthException.class, () -> status(ended.get(0)), "it is forgotten in time");
        assertEquals(ended.get(0), submit("request-0", false), "its request is known for longer");
    }

    @Test
    void takesNothingNewWhileTheLogIsFull() {
        register();
        SubmissionId waits = submit("big", false);
        assertEquals(DriverState.RUNNING, status(waits).state());
        master.hindered(Optional.of("the log is full"));
        HearthException refused = assertThrows(HearthException.class, () -> submit("c", false));
        assertEquals("SUBMISSION_REFUSED", refused.code());
        assertEquals(waits, submit("big", false), "what is known is answered");
        master.hindered(Optional.empty());
        submit("c", false);
    }

    static LongStream seeds() {
        return LongStream.range(0, 100);
    }

    /** Random events lead to the same ledger by any way of replaying their facts. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void replaysToTheLiveLedgerFromAnySnapshot(long seed) {
        Random random = new Random(seed);
        List<SubmissionId> ids = new ArrayList<>();
        register();
        List<Fact> snapshot = List.of();
        int tail = 0;
        for (int step = 0; step < 60; step++) {
            now += Duration.ofSeconds(random.nextInt(5)).toNanos();
            act(random, ids);
            settle();
            if (random.nextInt(20) == 0) {
                snapshot = ledger.snapshot();
                tail = log.size();
            }
            if (random.nextInt(25) == 0) {
                restart();
                settle();
                register();
            }
        }
        MasterLedger replayed = new MasterLedger(BOUNDS);
        log.forEach(replayed::apply);
        assertEquals(ledger.snapshot(), replayed.snapshot());
        MasterLedger shorter = new MasterLedger(BOUNDS);
        snapshot.forEach(fact -> shorter.apply(form.read(form.bytes(fact))));
        log.subList(tail, log.size()).forEach(shorter::apply);
        assertEquals(ledger.snapshot(), shorter.snapshot());
        assertFalse(ledger.drivers().isEmpty());
        List<DriverStatus> live = ended();
        restart();
        for (DriverStatus status : ended()) {
            live.stream()
                    .filter(before -> before.submission().equals(status.submission()))
                    .forEach(before -> assertEquals(before, status, "what has ended stays so"));
        }
    }

    private List<DriverStatus> ended() {
        return master.find(new FindDrivers("*")).statuses().stream()
                .filter(status -> status.state().shown().isFinal())
                .map(status -> new DriverStatus(
                        status.submission(),
                        status.state(),
                        status.worker(),
                        status.workerAddress(),
                        status.message(),
                        status.exitStatus(),
                        "",
                        "",
                        status.attempt(),
                        Map.of(), // addresses of output on earlier workers are not kept
                        status.submittedMillis(),
                        status.startedMillis(),
                        status.endedMillis()))
                .toList();
    }

    private void act(Random random, List<SubmissionId> ids) {
        int what = random.nextInt(8);
        List<DriverStatus> known = ids.isEmpty()
                ? List.of()
                : master.find(new FindDrivers(
                                ids.get(random.nextInt(ids.size())).value()))
                        .statuses();
        if (known.isEmpty() || what < 3) {
            ids.add(submit("request-" + random.nextInt(40), random.nextBoolean()));
            return;
        }
        SubmissionId any = known.get(0).submission();
        int attempt = known.get(0).attempt();
        if (what == 3 && known.get(0).state() == DriverState.RUNNING) {
            end(any, random.nextInt(2));
        } else if (what == 4) {
            master.kill(any, now);
        } else if (what == 5) {
            master.driverRestarts(
                    new DriverRestarts(any, attempt, 1, OptionalInt.of(1), "exit status 1", 1_000), peer, now);
        } else if (what == 6) {
            master.driverStarted(new DriverStarted(any, attempt + 1), peer, now);
        } else if (random.nextInt(20) == 0) {
            master.clearDrivers();
        }
    }
}
