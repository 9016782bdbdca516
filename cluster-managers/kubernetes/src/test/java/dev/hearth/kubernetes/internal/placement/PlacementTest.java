package dev.hearth.kubernetes.internal.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private final Placement placement = new Placement("mine", Duration.ofSeconds(60), 0);

    private static ObjectFacts object(String nonce) {
        return ObjectFacts.of("s", "uid-1", "1").labelled(Map.of(Placement.NONCE, nonce));
    }

    @Test
    void repeatsARequestWithoutAnAnswerAndRecognisesItsObject() {
        placement.answered(new Answer.Unknown("timed out"), 0);
        assertEquals(Placement.State.PLACING, placement.state());
        assertTrue(placement.answered(new Answer.Exists(object("mine")), 1).isPresent());
        assertEquals(Placement.State.PLACED, placement.state());
    }

    @Test
    void takesNoObjectOfAnother() {
        assertTrue(placement.answered(new Answer.Exists(object("other")), 0).isEmpty());
        assertEquals(Placement.State.REFUSED, placement.state());
    }

    @Test
    void refusesAtOnceWhatNoTimeMends() {
        placement.answered(new Answer.Refused(RefusalKind.DENIED, "secrets is forbidden"), 0);
        assertEquals(Placement.State.REFUSED, placement.state());
    }

    @Test
    void isUnsureAfterAMissingAnswerAndARefusal() {
        placement.answered(new Answer.Unknown("timed out"), 0);
        placement.answered(new Answer.Refused(RefusalKind.DENIED, "secrets is forbidden"), 1);
        assertEquals(Placement.State.UNSURE, placement.state());
    }

    @Test
    void givesUpWhenItsTimeIsOver() {
        long now = 0;
        int requests = 1;
        for (; placement.state() == Placement.State.PLACING; requests++) {
            placement.answered(new Answer.Refused(RefusalKind.SERVER, "etcd leader changed"), now);
            now += placement.pause().toNanos();
        }
        assertEquals(Placement.State.REFUSED, placement.state());
        assertTrue(requests < 20, requests + " requests");
    }

    @Test
    void asksForATokenOnlyOnce() {
        Answer refused = new Answer.Refused(RefusalKind.UNAUTHENTICATED, "Unauthorized");
        placement.answered(refused, 0);
        assertEquals(Placement.State.PLACING, placement.state());
        placement.answered(refused, 1);
        assertEquals(Placement.State.REFUSED, placement.state());
    }
}
