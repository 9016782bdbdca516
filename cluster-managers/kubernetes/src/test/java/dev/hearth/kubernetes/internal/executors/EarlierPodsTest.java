package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.anchor.AnchorMarks;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Deletion of the pods of earlier drivers, and adoption of pods by a new anchor. */
class EarlierPodsTest {
    private static final Answer DONE = new Answer.Done(Optional.empty());
    private static final Answer UNKNOWN = new Answer.Unknown("no answer");
    private static final Answer DENIED = new Answer.Refused(RefusalKind.DENIED, "pods is forbidden");

    private final EarlierPods earlier = new EarlierPods();
    private long now;

    private static ObjectFacts pod(String name, String epoch, PodFacts facts) {
        return ObjectFacts.of(name, "u-" + name, "1")
                .labelled(Map.of(AnchorMarks.EPOCH, epoch))
                .with(facts);
    }

    private List<Long> after(Duration time) {
        now += time.toNanos();
        return earlier.take(3, now);
    }

    @Test
    void deletesLowerEpochsAloneByOneRequest() {
        assertEquals(1, earlier.seen(pod("a", "1", PodFacts.PENDING), now));
        earlier.seen(pod("b", "2", PodFacts.PENDING), now);
        earlier.seen(pod("c", "3", PodFacts.PENDING), now);
        earlier.seen(pod("d", "4", PodFacts.PENDING), now);
        assertEquals(0, earlier.seen(pod("e", "no number", PodFacts.PENDING), now));
        assertEquals(4, earlier.highestEpoch());
        assertEquals(List.of(), after(Duration.ZERO), "more may come");
        assertEquals(List.of(1L, 2L), after(Duration.ofMillis(50)));
        assertEquals(List.of(), after(Duration.ofMinutes(1)), "the request is under way");
        earlier.deleted(DONE, now);
        earlier.seen(pod("a", "1", PodFacts.PENDING.deletingWithin(30)), now);
        earlier.vanished(pod("b", "2", PodFacts.PENDING));
        assertEquals(List.of(), after(Duration.ofMinutes(1)));
    }

    @Test
    void repeatsWhatFailsWithLongerPauses() {
        earlier.seen(pod("a", "1", PodFacts.PENDING), now);
        int requests = 0;
        for (int tenth = 0; tenth < 6_000; tenth++) {
            if (!after(Duration.ofMillis(100)).isEmpty()) {
                requests++;
                earlier.deleted(DENIED, now);
            }
        }
        assertTrue(requests > 20 && requests < 40, requests + " requests in ten minutes");
        assertTrue(earlier.remaining(now) <= Duration.ofSeconds(30).toNanos());
    }

    @Test
    void adoptsAFewPodsAtATime() {
        Adoption adoption = new Adoption();
        List<String> pods =
                IntStream.range(0, 20).mapToObj(number -> "p" + number).toList();
        assertEquals(pods.subList(0, Adoption.PARALLEL_MAX), adoption.begin(pods));
        assertEquals(List.of("p8"), adoption.answered("p0", DONE));
        assertEquals(List.of("p9"), adoption.answered("p1", UNKNOWN));
        assertEquals(Optional.empty(), Adoption.problem(UNKNOWN));
        assertEquals(Optional.of("pods is forbidden"), Adoption.problem(DENIED));
    }

    @Test
    void triesThreeTimes() {
        Adoption adoption = new Adoption();
        assertEquals(List.of("p"), adoption.begin(List.of("p")));
        assertEquals(List.of("p"), adoption.answered("p", UNKNOWN));
        assertEquals(List.of("p"), adoption.answered("p", UNKNOWN));
        assertEquals(List.of(), adoption.answered("p", UNKNOWN));
        assertEquals(List.of("q"), adoption.begin(List.of("q")));
        assertEquals(List.of(), adoption.answered("q", DENIED));
    }
}
