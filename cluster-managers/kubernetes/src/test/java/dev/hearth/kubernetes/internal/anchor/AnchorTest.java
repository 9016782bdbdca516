package dev.hearth.kubernetes.internal.anchor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.anchor.AnchorEffect.Send;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.placement.Placement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Decisions about an anchor, answer by answer. */
class AnchorTest {
    private static final String APPLICATION = "spark-app-selector";
    private static final Answer UNKNOWN = new Answer.Unknown("no answer");
    private static final Answer CONFLICT = new Answer.Refused(RefusalKind.CONFLICT, "the object has been modified");
    private static final Answer DENIED = new Answer.Refused(RefusalKind.DENIED, "secrets is forbidden");

    private Anchor anchor = anchor(true);
    private final List<AnchorEffect> effects = new ArrayList<>();
    private final List<AnchorRequest> sent = new ArrayList<>();
    private long now;
    private int version;

    private static Anchor anchor(boolean renews) {
        return new Anchor(found -> found.label(APPLICATION).equals("spark-1"), "ours", renews, 0);
    }

    private ObjectFacts secret(String nonce, long epoch, String uid) {
        return ObjectFacts.of("app-orders", uid, String.valueOf(++version))
                .labelled(Map.of(Placement.NONCE, nonce, APPLICATION, "spark-1"))
                .annotated(Map.of(AnchorMarks.EPOCH, String.valueOf(epoch)));
    }

    private static Answer done(ObjectFacts object) {
        return new Answer.Done(Optional.of(object));
    }

    private void perform(List<AnchorEffect> made) {
        effects.clear();
        effects.addAll(made);
        made.stream()
                .filter(Send.class::isInstance)
                .map(effect -> ((Send) effect).request())
                .forEach(sent::add);
    }

    private void answer(Answer answer) {
        perform(anchor.answered(answer, now));
    }

    private void pass(Duration time) {
        now += time.toNanos();
        perform(anchor.wake(now));
    }

    private boolean made(Class<? extends AnchorEffect> kind) {
        return effects.stream().anyMatch(kind::isInstance);
    }

    private void hold() {
        perform(anchor.begin(now));
        answer(done(secret("ours", 1, "u1")));
        assertEquals(Anchor.State.HELD, anchor.state());
        sent.clear();
    }

    @Test
    void raisesTheCounterEveryFiveMinutes() {
        hold();
        for (int minute = 1; minute <= 60; minute++) {
            pass(Duration.ofMinutes(1));
            if (anchor.state() == Anchor.State.RENEWING) {
                answer(done(secret("ours", 1, "u1")));
            }
        }
        assertEquals(12, anchor.renewed());
        assertEquals(12, sent.size(), "0.2 requests a minute");
    }

    @Test
    void sendsNothingWhileAPodOwnsIt() {
        Anchor owned = anchor(false);
        owned.begin(0);
        owned.answered(done(secret("ours", 1, "u1")), 0);
        assertEquals(List.of(), owned.wake(Duration.ofDays(1).toNanos()));
    }

    @Test
    void takesTheAnchorOfAnEarlierDriver() {
        perform(anchor.begin(now));
        assertEquals(1, anchor.epoch());
        answer(new Answer.Exists(secret("theirs", 4, "u1")));
        assertEquals(List.of(AnchorRequest.CREATE, AnchorRequest.TAKE), sent);
        assertEquals(5, anchor.epoch());
        answer(UNKNOWN);
        pass(Duration.ofSeconds(1));
        answer(done(secret("ours", 5, "u1"))); // the patch has had its effect
        assertTrue(made(AnchorEffect.Held.class));
        assertEquals(5, anchor.epoch());
    }

    @Test
    void takesItWithAHigherNumberIfAnotherDriverWasFaster() {
        perform(anchor.begin(now));
        answer(new Answer.Exists(secret("theirs", 1, "u1")));
        answer(CONFLICT);
        answer(done(secret("third", 2, "u1")));
        assertEquals(3, anchor.epoch());
        answer(done(secret("ours", 3, "u1")));
        assertEquals(Anchor.State.HELD, anchor.state());
    }

    @Test
    void takesNoSecretOfAnotherApplication() {
        perform(anchor.begin(now));
        answer(new Answer.Exists(ObjectFacts.of("app-orders", "u", "1").labelled(Map.of(APPLICATION, "spark-2"))));
        assertTrue(made(AnchorEffect.Failed.class));
        assertEquals(List.of(AnchorRequest.CREATE), sent);
    }

    @Test
    void renewsAgainAfterASweepHasLookedAtIt() {
        hold();
        pass(Anchor.RENEWAL);
        answer(CONFLICT);
        answer(done(secret("ours", 1, "u1")));
        answer(done(secret("ours", 1, "u1")));
        assertEquals(List.of(AnchorRequest.RENEW, AnchorRequest.READ, AnchorRequest.RENEW), sent);
        assertEquals(Anchor.State.HELD, anchor.state());
    }

    @Test
    void endsWhenAnotherDriverHasTakenIt() {
        hold();
        pass(Anchor.RENEWAL);
        answer(CONFLICT);
        answer(done(secret("theirs", 2, "u1")));
        assertTrue(made(AnchorEffect.Superseded.class));
        sent.clear();
        perform(anchor.release(true));
        assertTrue(made(AnchorEffect.Released.class));
        assertEquals(List.of(), sent, "it deletes nothing");
    }

    @Test
    void takesItBackFromAnEarlierDriverThatCreatedItAgain() {
        perform(anchor.begin(now));
        answer(new Answer.Exists(secret("theirs", 1, "u1")));
        answer(done(secret("ours", 2, "u1")));
        pass(Anchor.RENEWAL);
        answer(CONFLICT);
        answer(done(secret("theirs", 1, "u2")));
        assertEquals(2, anchor.epoch(), "its pods keep their number");
        answer(done(secret("ours", 2, "u2")));
        assertTrue(made(AnchorEffect.Recreated.class));
        assertEquals(Anchor.State.HELD, anchor.state());
    }

    @Test
    void createsItAgainWhenAStrangerHasDeletedIt() {
        hold();
        perform(anchor.doubt(now));
        answer(new Answer.Missing());
        assertEquals(Anchor.State.LOST, anchor.state());
        answer(done(secret("ours", 1, "u2")));
        assertTrue(made(AnchorEffect.Recreated.class));
        assertEquals(List.of(AnchorRequest.READ, AnchorRequest.CREATE), sent);
    }

    @Test
    void looksAtMostEveryTenSecondsAndRenewsInTimeAllTheSame() {
        hold();
        for (int second = 1; second <= 600; second++) {
            pass(Duration.ofSeconds(1));
            if (anchor.state() == Anchor.State.HELD) {
                perform(anchor.doubt(now));
            }
            if (made(Send.class)) {
                answer(done(secret("ours", 1, "u1")));
            }
        }
        assertEquals(2, anchor.renewed());
        assertEquals(2, sent.stream().filter(AnchorRequest.RENEW::equals).count());
        assertTrue(sent.size() <= 62, () -> sent.size() + " requests");
    }

    @Test
    void repeatsARenewalWithoutAnAnswerButNotARefusedOne() {
        hold();
        pass(Anchor.RENEWAL);
        answer(UNKNOWN);
        pass(Duration.ofSeconds(1));
        answer(done(secret("ours", 1, "u1")));
        answer(DENIED);
        sent.clear();
        pass(Duration.ofMinutes(4));
        assertEquals(List.of(), sent);
        pass(Duration.ofMinutes(1));
        assertEquals(List.of(AnchorRequest.RENEW), sent);
    }

    @Test
    void raisesItsNumberAboveThatOfPodsWhoseAnchorIsGone() {
        hold();
        perform(anchor.raise(7));
        assertEquals(8, anchor.epochToWrite());
        assertEquals(1, anchor.epoch(), "pods get the number only once the anchor has it");
        answer(CONFLICT);
        answer(done(secret("ours", 1, "u1")));
        answer(done(secret("ours", 8, "u1")));
        assertTrue(made(AnchorEffect.Held.class));
        assertEquals(List.of(AnchorRequest.TAKE, AnchorRequest.READ, AnchorRequest.TAKE), sent);
    }

    @Test
    void raisesItsNumberAlthoughItsAnchorIsDeletedMeanwhile() {
        hold();
        perform(anchor.raise(2));
        answer(new Answer.Missing());
        assertEquals(Anchor.State.LOST, anchor.state());
        assertEquals(3, anchor.epochToWrite(), "it is created with the number that is due");
        answer(done(secret("ours", 3, "u2")));
        assertTrue(made(AnchorEffect.Held.class));
        assertEquals(3, anchor.epoch());
    }

    @Test
    void raisesItsNumberAfterTheRequestThatIsUnderWay() {
        hold();
        perform(anchor.doubt(now));
        perform(anchor.raise(4));
        assertEquals(List.of(AnchorRequest.READ), sent);
        answer(done(secret("ours", 1, "u1")));
        assertEquals(List.of(AnchorRequest.READ, AnchorRequest.TAKE), sent);
        answer(done(secret("ours", 5, "u1")));
        assertEquals(5, anchor.epoch());
        assertEquals(Anchor.State.HELD, anchor.state());
    }

    @Test
    void isSupersededIfTheAnchorThatItWantsToRaiseIsTheOtherDrivers() {
        hold();
        perform(anchor.raise(1));
        answer(CONFLICT);
        answer(done(secret("theirs", 1, "u2")));
        assertTrue(made(AnchorEffect.Superseded.class));
    }

    @Test
    void leavesASecretOfAnotherApplicationThatHasItsNameMeanwhile() {
        hold();
        ObjectFacts other = ObjectFacts.of("app-orders", "u9", "9").labelled(Map.of(APPLICATION, "spark-2"));
        perform(anchor.doubt(now));
        answer(done(other));
        assertTrue(made(AnchorEffect.Failed.class));
        perform(anchor.release(true));
        assertEquals(List.of(AnchorRequest.READ), sent);

        anchor = anchor(true);
        hold();
        perform(anchor.doubt(now));
        answer(new Answer.Missing());
        perform(anchor.release(true)); // while it is created again
        answer(new Answer.Exists(other));
        assertEquals(List.of(AnchorRequest.READ, AnchorRequest.CREATE), sent);
        assertTrue(made(AnchorEffect.Released.class));
    }

    @Test
    void deletesAtTheEndTheAnchorOfADriverThatItHasSuperseded() {
        perform(anchor.begin(now));
        answer(new Answer.Exists(secret("theirs", 1, "u1")));
        answer(done(secret("ours", 2, "u1")));
        perform(anchor.release(true));
        answer(CONFLICT);
        answer(done(secret("theirs", 1, "u2"))); // it was deleted, and created by the earlier driver
        answer(new Answer.Done(Optional.empty()));
        assertEquals(
                List.of(
                        AnchorRequest.CREATE,
                        AnchorRequest.TAKE,
                        AnchorRequest.DELETE,
                        AnchorRequest.READ,
                        AnchorRequest.DELETE),
                sent);
    }

    @Test
    void deletesAtTheEndWhatItHolds() {
        hold();
        perform(anchor.release(true));
        answer(CONFLICT); // a sweep has looked at it
        answer(done(secret("ours", 1, "u1")));
        answer(new Answer.Done(Optional.empty()));
        assertEquals(List.of(AnchorRequest.DELETE, AnchorRequest.READ, AnchorRequest.DELETE), sent);
        assertTrue(made(AnchorEffect.Released.class));
    }

    @Test
    void leavesTheAnchorThatAnotherDriverHasTakenMeanwhile() {
        hold();
        perform(anchor.release(true));
        answer(CONFLICT);
        answer(done(secret("theirs", 2, "u1")));
        assertTrue(made(AnchorEffect.Released.class));
        assertEquals(List.of(AnchorRequest.DELETE, AnchorRequest.READ), sent);
    }

    @Test
    void deletesAnAnchorWhoseCreationIsAnsweredAfterTheEnd() {
        perform(anchor.begin(now));
        perform(anchor.release(true));
        assertEquals(List.of(), effects);
        answer(done(secret("ours", 1, "u1")));
        answer(new Answer.Done(Optional.empty()));
        assertEquals(List.of(AnchorRequest.CREATE, AnchorRequest.DELETE), sent);
    }

    @Test
    void givesUpWithoutAnAnswerAndSaysWhatMayBeLeft() {
        hold();
        perform(anchor.release(true));
        Stream.of(UNKNOWN, UNKNOWN, UNKNOWN).forEach(this::answer);
        assertTrue(made(AnchorEffect.Released.class));
        assertTrue(effects.contains(new AnchorEffect.Released(true)), effects::toString);
        assertEquals(3, sent.size());
    }
}
