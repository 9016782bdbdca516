package dev.hearth.testkit.ledger;

import static dev.hearth.testkit.ledger.LeadershipRecorder.facts;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.ledger.Candidacy;
import dev.hearth.spi.ledger.FactLog;
import dev.hearth.spi.ledger.LeadershipListener;
import dev.hearth.spi.net.Bytes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;

/** Tests that every log of facts must pass, whatever its place is. */
@SuppressWarnings("try") // candidacies are held and not used
public abstract class FactLogContract {
    private static final int LARGE = 1_500_000; // bytes: more than one message of some places

    /** Begins to stand with the name {@code name} for the one place of the test, which is empty at first. */
    protected abstract Candidacy stand(String name, LeadershipListener listener);

    private static void await(CompletionStage<Void> done) throws Exception {
        done.toCompletableFuture().get();
    }

    @Test
    void keepsWhatWasAcknowledgedForTheNextLeader() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        long before;
        try (Candidacy leader = stand("a:1", first)) {
            before = first.leads().epoch();
            assertEquals(List.of(), first.replayed());
            await(first.log().append(facts("a", "b")));
            await(first.log().append(facts("c")));
            assertTrue(first.log().hindrance().isEmpty());
            assertFalse(first.log().isUncertain());
        }
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy leader = stand("b:2", second)) {
            assertEquals(List.of("a", "b", "c"), second.leads().replayed());
            assertTrue(second.epoch() > before, () -> second.epoch() + " after " + before);
        }
    }

    @Test
    void letsAStandbyLeadWhenTheLeaderResigns() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        LeadershipRecorder second = new LeadershipRecorder();
        Candidacy leader = stand("a:1", first);
        first.leads();
        try (Candidacy standby = stand("b:2", second)) {
            String following = second.next();
            assertTrue(following.startsWith("following a:1"), following);
            CompletableFuture<Void> last = first.log().append(facts("x")).toCompletableFuture();
            leader.close();
            assertTrue(last.isDone(), "what waits is written before another leads");
            assertEquals("recovering", second.next());
            assertEquals(List.of("x"), second.leads().replayed());
        }
        leader.close(); // idempotent
    }

    @Test
    void completesAppendsInTheirOrder() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        List<Integer> completed = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> all = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        try (Candidacy leader = stand("a:1", first)) {
            first.leads();
            for (int i = 0; i < 300; i++) {
                int number = i;
                expected.add("fact " + i);
                all.add(first.log()
                        .append(facts("fact " + i))
                        .thenRun(() -> completed.add(number))
                        .toCompletableFuture());
            }
            for (CompletableFuture<Void> each : all) {
                each.get();
            }
        }
        List<Integer> inOrder = new ArrayList<>(completed);
        Collections.sort(inOrder);
        assertEquals(inOrder, completed);
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy leader = stand("b:2", second)) {
            assertEquals(expected, second.leads().replayed());
        }
    }

    @Test
    void keepsLargeFacts() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        String large = "large".repeat(LARGE / "large".length());
        try (Candidacy leader = stand("a:1", first)) {
            await(first.leads().log().append(facts("before")));
            await(first.log().append(facts(large, "and more")));
            await(first.log().append(facts("after")));
        }
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy leader = stand("b:2", second)) {
            assertTrue(List.of("before", large, "and more", "after")
                    .equals(second.leads().replayed()));
        }
    }

    @Test
    void replacesAllByASnapshot() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy leader = stand("a:1", first)) {
            FactLog log = first.leads().log();
            for (int i = 0; i < 50; i++) {
                await(log.append(facts("old " + i)));
            }
            CompletableFuture<Void> snapshot =
                    log.snapshot(facts("s1", "x".repeat(LARGE), "s2")).toCompletableFuture();
            await(log.append(facts("later")));
            assertTrue(snapshot.isDone(), "it is done before what was appended after it");
            await(log.snapshot(facts("t1", "t2")));
            await(log.append(facts("last")));
        }
        for (String next : List.of("b:2", "c:3")) {
            LeadershipRecorder heard = new LeadershipRecorder();
            try (Candidacy leader = stand(next, heard)) {
                List<String> replayed = heard.leads().replayed();
                assertEquals(List.of("t1", "t2", "last"), replayed);
            }
        }
    }

    @Test
    void takesNothingAfterItsEnd() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        Candidacy leader = stand("a:1", first);
        FactLog log = first.leads().log();
        leader.close();
        List<Bytes> late = facts("late");
        assertThrows(ExecutionException.class, () -> await(log.append(late)));
        LeadershipRecorder second = new LeadershipRecorder();
        try (Candidacy next = stand("b:2", second)) {
            assertEquals(List.of(), second.leads().replayed());
        }
    }

    @Test
    void failsIfTheNextLeaderCannotReadAFact() throws Exception {
        LeadershipRecorder first = new LeadershipRecorder();
        try (Candidacy leader = stand("a:1", first)) {
            await(first.leads().log().append(facts("of a newer release")));
        }
        LeadershipRecorder second = new LeadershipRecorder(fact -> {
            throw ErrorCode.FILE_DAMAGED.failure("a fact that this release does not know");
        });
        try (Candidacy leader = stand("b:2", second)) {
            String call = second.next();
            while (!call.startsWith("failed") && !call.startsWith("leading")) {
                call = second.next();
            }
            assertEquals("failed a fact that this release does not know", call);
        }
    }
}
