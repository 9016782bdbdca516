package dev.hearth.hazookeeper.internal;

import static dev.hearth.testkit.ledger.LeadershipRecorder.facts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.testkit.ledger.FactLogContract;
import dev.hearth.testkit.ledger.LeadershipRecorder;
import dev.hearth.testkit.machine.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Runs the contract of logs on the model of an ensemble, and tests what only an ensemble does. */
@Timeout(120)
@SuppressWarnings("try") // candidacies are held and not used
class EnsembleContractTest extends FactLogContract {
    private static final MasterProbe.Reach NO_PROBES =
            master -> CompletableFuture.completedFuture(MasterProbe.Answer.SILENT);
    private static final Duration BOUND = Duration.ofSeconds(60);

    private final ThreadEventLoop servers = new ThreadEventLoop("ensemble", failure -> {
        throw new AssertionError(failure);
    });
    private final ModelEnsemble ensemble = new ModelEnsemble((session, action) -> servers.execute(action));
    private final ZnodePaths paths = new ZnodePaths("/clusters/one");

    @AfterEach
    void stop() {
        servers.close();
    }

    @Override
    protected Candidacy stand(String name, LeadershipListener listener) {
        return stand(name, listener, EnsembleFactLog.Bounds.DEFAULTS);
    }

    private Candidacy stand(String name, LeadershipListener listener, EnsembleFactLog.Bounds bounds) {
        EnsembleCandidacy candidacy = new EnsembleCandidacy(
                ensemble,
                paths,
                name,
                new ThreadEventLoop("facts", failure -> {
                    throw new AssertionError(failure);
                }),
                bounds,
                NO_PROBES,
                listener);
        candidacy.start();
        return candidacy;
    }

    @Test
    void standsByInPlaceWhenItsSessionHasEndedAndLeadsAgain() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy only = stand("a:1", first)) {
            first.leads().log().append(facts("x")).toCompletableFuture().get();
            long before = first.epoch();
            var old = first.log();
            ensemble.sessions().get(0).expire();
            first.reaches("lost").leads();
            assertTrue(first.epoch() > before);
            assertEquals(List.of("x"), first.replayed());
            assertThrows(
                    ExecutionException.class,
                    () -> old.append(facts("by the old leader"))
                            .toCompletableFuture()
                            .get());
        }
    }

    @Test
    void acknowledgesNothingWhileTheEnsembleIsAwayAndGoesOnWhenItIsBack() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy only = stand("a:1", first)) {
            first.leads();
            ensemble.goAway();
            Eventually.until("uncertain", () -> first.log().isUncertain(), BOUND);
            assertTrue(first.log().hindrance().orElseThrow().contains("does not answer"));
            CompletableFuture<Void> waits = first.log().append(facts("x")).toCompletableFuture();
            ensemble.comeBack();
            waits.get();
            Eventually.until("certain", () -> !first.log().isUncertain(), BOUND);
            assertTrue(first.log().hindrance().isEmpty());
        }
    }

    @Test
    void doesNotStandByWithoutServersWhenItsClientGivesUpTheSession() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy only = stand("a:1", first)) {
            long before = first.leads().epoch();
            ensemble.goAway();
            Eventually.until("uncertain", () -> first.log().isUncertain(), BOUND);
            CompletableFuture<Void> waits = first.log().append(facts("x")).toCompletableFuture();
            ensemble.sessions().get(0).expire();
            Eventually.until("another session", () -> ensemble.sessions().size() == 1, BOUND);
            assertTrue(first.log().isUncertain());
            assertFalse(waits.isDone(), "it would fail if this process had stood by");
            ensemble.comeBack();
            first.reaches("lost").leads();
            assertTrue(first.epoch() > before);
            assertTrue(waits.isCompletedExceptionally());
        }
    }

    @Test
    void wantsSnapshotsAndDeletesWhatTheyReplace() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        EnsembleFactLog.Bounds small = new EnsembleFactLog.Bounds(100, 5, 1_000);
        try (Candidacy only = stand("a:1", first, small)) {
            var log = first.leads().log();
            for (int i = 0; i < 5; i++) {
                log.append(facts("fact " + i)).toCompletableFuture().get();
            }
            assertTrue(log.wantsSnapshot());
            log.snapshot(facts("all", "y".repeat(450))).toCompletableFuture().get();
            log.append(facts("later")).toCompletableFuture().get();
            log.snapshot(facts("all of it")).toCompletableFuture().get();
            log.append(facts("last")).toCompletableFuture().get();
            Eventually.until(
                    "one batch and one part",
                    () -> ensemble.paths().stream()
                                    .filter(path -> path.contains("batch-") || path.contains("part-"))
                                    .count()
                            == 2,
                    BOUND,
                    () -> ensemble.paths().toString());
        }
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy next = stand("b:2", second, small)) {
            assertEquals(List.of("all of it", "last"), second.leads().replayed());
        }
    }

    @Test
    void deletesWhatAnotherSnapshotReplacesMeanwhile() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy only = stand("a:1", first, new EnsembleFactLog.Bounds(100, 5, 1_000))) {
            var log = first.leads().log();
            log.append(facts("first")).toCompletableFuture().get();
            List<CompletionStage<Void>> written = new ArrayList<>();
            for (int i = 0; i < 20; i++) { // the deletions after one run while the next is written
                written.add(log.append(facts("later")));
                written.add(log.snapshot(facts("all")));
            }
            for (CompletionStage<Void> each : written) {
                each.toCompletableFuture().get();
            }
            Eventually.until(
                    "one part and no batch",
                    () -> ensemble.paths().stream().noneMatch(path -> path.contains("batch-"))
                            && ensemble.paths().stream()
                                            .filter(path -> path.contains("part-"))
                                            .count()
                                    == 1,
                    BOUND,
                    () -> ensemble.paths().toString());
        }
    }

    @Test
    void forgetsAnAppendOfWhichAPartIsMissingAtTheEndAndRefusesAnyOtherGap() throws Exception {
        EnsembleFactLog.Bounds small = new EnsembleFactLog.Bounds(100, 1_000, 1 << 20);
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy leader = stand("a:1", first, small)) {
            first.leads().log().append(facts("whole")).toCompletableFuture().get();
            first.log().append(facts("z".repeat(250))).toCompletableFuture().get();
        }
        ensemble.remove(paths.batch(4)); // the last of three pieces
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy next = stand("b:2", second, small)) {
            assertEquals(List.of("whole"), second.leads().replayed());
            second.log().append(facts("next")).toCompletableFuture().get();
        }
        LeadershipRecorder third = new LeadershipRecorder();
        try (Candidacy next = stand("c:3", third, small)) {
            assertEquals(List.of("whole", "next"), third.leads().replayed());
        }
        ensemble.remove(paths.batch(1));
        LeadershipRecorder refused = new LeadershipRecorder();
        try (Candidacy next = stand("d:4", refused, small)) {
            assertEquals("recovering", refused.next());
            String failure = refused.next();
            assertTrue(failure.startsWith("failed /clusters/one/facts/batch-0000000001 in model: missing"), failure);
        }
        ensemble.put(paths.batch(1), new byte[] {1, 1, 0, 0, 0, 0, 7});
        LeadershipRecorder damaged = new LeadershipRecorder();
        try (Candidacy next = stand("e:5", damaged, small)) {
            assertEquals("recovering", damaged.next());
            String failure = damaged.next();
            assertTrue(failure.contains("batch-0000000001 in model: damaged (expected:"), failure);
        }
    }

    @Test
    void standsByWithoutALeaderWhileTheEnsembleIsAway() throws Exception {
        ensemble.goAway();
        LeadershipRecorder heard = new LeadershipRecorder();
        try (Candidacy only = stand("a:1", heard)) {
            assertEquals("following ", heard.next());
            ensemble.comeBack();
            heard.leads();
        }
    }

    @Test
    void keepsClustersWithDifferentDirectoriesApart() throws Exception {
        LeadershipRecorder one = new LeadershipRecorder();
        LeadershipRecorder other = new LeadershipRecorder();
        try (Candidacy first = stand("a:1", one)) {
            one.leads().log().append(facts("x")).toCompletableFuture().get();
            EnsembleCandidacy second = new EnsembleCandidacy(
                    ensemble,
                    new ZnodePaths("/clusters/two"),
                    "b:2",
                    new ThreadEventLoop("facts", failure -> {
                        throw new AssertionError(failure);
                    }),
                    EnsembleFactLog.Bounds.DEFAULTS,
                    NO_PROBES,
                    other);
            second.start();
            assertEquals(List.of(), other.leads().replayed());
            second.close();
        }
    }
}
