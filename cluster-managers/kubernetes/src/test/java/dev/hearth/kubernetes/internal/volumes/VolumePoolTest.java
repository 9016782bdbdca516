package dev.hearth.kubernetes.internal.volumes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ClaimFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect.CreateClaim;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect.DeleteClaim;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect.ListClaims;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect.OwnClaims;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect.Warn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single decisions of the pool, event by event. */
class VolumePoolTest {
    private static final String MODE = "ReadWriteOncePod";
    private static final Answer DONE = new Answer.Done(Optional.empty());
    private static final Answer UNKNOWN = new Answer.Unknown("no answer");
    private static final Answer DENIED = new Answer.Refused(RefusalKind.DENIED, "forbidden");
    private static final ClaimSpec DATA = spec("data", "10Gi");

    private final List<VolumeEffect> effects = new ArrayList<>();
    private VolumePool pool = pool(ClaimSettings.DEFAULTS, DATA);
    private long now;

    private static ClaimSpec spec(String volume, String size) {
        return new ClaimSpec(volume, Optional.of("fast"), size, MODE, Map.of(), Map.of());
    }

    private VolumePool pool(ClaimSettings settings, ClaimSpec... specs) {
        VolumePool made = new VolumePool(settings, number -> "c-" + number, effects::add);
        made.open(List.of(specs));
        return made;
    }

    private static ObjectFacts facts(String name, String storageClass, String mode, String size, boolean deleting) {
        return ObjectFacts.of(name, "u", "1").with(new ClaimFacts(storageClass, List.of(mode), size, deleting));
    }

    private static ObjectFacts facts(String name) {
        return facts(name, "fast", MODE, "10Gi", false);
    }

    private <T> List<T> of(Class<T> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    /** Creates the claims of one executor and assigns them to it. */
    private void hold(long executor) {
        pool.settle(1, 10, now);
        while (pool.send(now)) {
            List<CreateClaim> created = of(CreateClaim.class);
            pool.created(created.get(created.size() - 1).claim(), DONE, true, now);
        }
        assertTrue(pool.take(executor, now).isPresent());
    }

    private boolean settleAndTake(long executor) {
        pool.settle(1, 10, now);
        return pool.take(executor, now).isPresent();
    }

    @Test
    void createsAClaimAndAssignsIt() {
        assertTrue(pool.take(1, now).isEmpty());
        pool.settle(1, 1, now);
        assertTrue(pool.send(now));
        assertFalse(pool.send(now));
        assertTrue(pool.take(1, now).isEmpty(), "it does not exist yet");
        pool.created(1, DONE, false, now);
        assertEquals(Optional.of(Map.of("data", "c-1")), pool.take(1, now));
        assertEquals(Map.of("data", "c-1"), pool.claimsOf(1));
        assertTrue(pool.take(2, now).isEmpty(), "it has an executor");
    }

    @Test
    void givesAllClaimsOfAnExecutorOrNone() {
        pool = pool(ClaimSettings.DEFAULTS, DATA, spec("scratch", "1Gi"));
        pool.settle(1, 1, now);
        pool.send(now);
        pool.send(now);
        pool.created(1, DONE, false, now);
        assertTrue(pool.take(1, now).isEmpty());
        pool.created(2, DONE, false, now);
        assertEquals(Map.of("data", "c-1", "scratch", "c-2"), pool.take(1, now).orElseThrow());
    }

    @Test
    void repeatsARequestWithoutAnAnswer() {
        pool.settle(1, 1, now);
        pool.send(now);
        pool.created(1, UNKNOWN, false, now);
        pool.settle(0, 1, now);
        assertEquals(1, pool.size(), "it may exist");
        assertTrue(pool.send(now));
        pool.created(1, new Answer.Refused(RefusalKind.QUOTA, "exceeded quota"), false, now);
        assertTrue(pool.send(now), "it may exist still");
        pool.created(1, new Answer.Exists(facts("c-1")), true, now);
        assertEquals(
                List.of(1L, 1L, 1L),
                of(CreateClaim.class).stream().map(CreateClaim::claim).toList());
        assertTrue(pool.take(1, now).isPresent());
    }

    @Test
    void countsNoClaimWhoseCreationWasRefused() {
        pool.settle(1, 1, now);
        pool.send(now);
        pool.created(1, new Answer.Refused(RefusalKind.QUOTA, "exceeded quota"), false, now);
        assertEquals(0, pool.size());
        pool.settle(1, 1, now);
        assertEquals(1, pool.size());
    }

    @Test
    void deletesTheNewestOfTheClaimsThatAreNotNeeded() {
        hold(1);
        hold(2);
        hold(3);
        for (long executor = 1; executor <= 3; executor++) {
            pool.dropped(executor, now);
        }
        pool.settle(0, 1, now);
        assertEquals(
                List.of(3L, 2L),
                of(VolumeEffect.DeleteClaim.class).stream()
                        .map(VolumeEffect.DeleteClaim::claim)
                        .toList());
    }

    @Test
    void leavesClaimsToTheDriverAfterAFewRequestsForAnotherOwner() {
        pool = pool(new ClaimSettings(false, true, false, false), DATA);
        hold(1);
        pool.mounted(1);
        for (int requests = 1; requests <= 8; requests++) {
            if (of(VolumeEffect.OwnClaims.class).size() == requests) {
                pool.owned(1, UNKNOWN, now);
            }
            pass(Duration.ofSeconds(2));
            pool.settle(0, 10, now);
        }
        assertEquals(5, of(VolumeEffect.OwnClaims.class).size());
    }

    @Test
    void takesNoClaimThatIsBeingDeletedForItsOwn() {
        pool.settle(1, 1, now);
        pool.send(now);
        pool.created(1, new Answer.Exists(facts("c-1", "fast", MODE, "10Gi", true)), true, now);
        assertTrue(pool.take(1, now).isEmpty());
        pool.settle(1, 1, now);
        assertTrue(pool.send(now));
        assertEquals(2, of(CreateClaim.class).get(1).claim());
    }

    @Test
    void reusesNoClaimThatIsBeingDeleted() {
        hold(1);
        pool.mounted(1);
        pool.gone(1, now);
        assertFalse(settleAndTake(2), "it is listed first");
        pool.listed(List.of(facts("c-1", "fast", MODE, "10Gi", true)), now);
        assertTrue(pool.take(2, now).isEmpty());
        assertEquals(0, pool.size());
        assertEquals(List.of(), of(VolumeEffect.DeleteClaim.class), "its deletion has begun");
    }

    @Test
    void doesNotMissAClaimInAListThatIsOlder() {
        hold(1);
        hold(2);
        pool.gone(1, now);
        assertFalse(settleAndTake(3));
        pass(Duration.ofMillis(1));
        pool.dropped(2, now); // free only since the list was requested
        pool.listed(List.of(facts("c-1")), now);
        assertEquals(2, pool.size());
        assertTrue(pool.take(3, now).isPresent());
    }

    @Test
    void skipsANameThatBelongsToAnotherClaim() {
        pool.settle(1, 1, now);
        pool.send(now);
        pool.created(1, new Answer.Exists(facts("c-1")), false, now);
        assertTrue(pool.take(1, now).isEmpty());
        pool.settle(1, 1, now);
        pool.send(now);
        assertEquals(2, of(CreateClaim.class).get(1).claim());
    }

    @Test
    void plansNoClaimForAnExecutorThatIsNotWantedAnyMore() {
        pool.settle(3, 3, now);
        assertEquals(3, pool.size());
        pool.settle(1, 3, now);
        assertEquals(1, pool.size());
    }

    @Test
    void reusesAClaimOnceItsPodWasSeenGoneAndItIsListed() {
        hold(1);
        assertFalse(settleAndTake(2), "executor 1 has it");
        pool.settle(0, 1, now);
        pool.gone(1, now);
        assertFalse(settleAndTake(2));
        assertEquals(1, of(ListClaims.class).size());
        pool.listed(List.of(facts("c-1")), now);
        assertTrue(pool.take(2, now).isPresent());
        assertEquals(1, of(CreateClaim.class).size());
    }

    @Test
    void believesInAClaimForAFewSeconds() {
        hold(1);
        pool.gone(1, now);
        settleAndTake(2);
        pool.listed(List.of(facts("c-1")), now);
        pass(VolumePool.VERIFIED.plusSeconds(1));
        assertTrue(pool.take(2, now).isEmpty());
        pool.settle(1, 1, now);
        assertEquals(2, of(ListClaims.class).size());
    }

    @Test
    void reusesNoClaimThatIsGoneOrBeingDeletedOrChanged() {
        for (Optional<ObjectFacts> found : List.of(
                Optional.<ObjectFacts>empty(),
                Optional.of(facts("c-1", "fast", MODE, "10Gi", true)),
                Optional.of(facts("c-1", "slow", MODE, "10Gi", false)),
                Optional.of(facts("c-1", "fast", "ReadOnlyMany", "10Gi", false)),
                Optional.of(facts("c-1", "fast", MODE, "9Gi", false)))) {
            pool = pool(ClaimSettings.DEFAULTS, DATA);
            hold(1);
            pool.gone(1, now);
            settleAndTake(2);
            pool.listed(found.stream().toList(), now);
            assertTrue(pool.take(2, now).isEmpty(), found::toString);
        }
    }

    @Test
    void reusesALargerClaim() {
        hold(1);
        pool.gone(1, now);
        settleAndTake(2);
        pool.listed(List.of(facts("c-1", "fast", MODE, "12Gi", false)), now);
        assertTrue(pool.take(2, now).isPresent());
    }

    @Test
    void givesTheSmallestClaimThatIsLargeEnough() {
        pool = pool(ClaimSettings.DEFAULTS, spec("scratch", "1Gi"), DATA);
        hold(1);
        assertEquals(Map.of("scratch", "c-1", "data", "c-2"), pool.claimsOf(1));
        pool.dropped(1, now);
        assertEquals(Map.of("scratch", "c-1", "data", "c-2"), pool.take(2, now).orElseThrow());
    }

    @Test
    void ignoresAListThatIsOlderThanTheEndOfAPod() {
        hold(1);
        hold(2);
        pool.gone(1, now);
        settleAndTake(3);
        pass(Duration.ofMillis(5));
        pool.gone(2, now);
        pool.listed(List.of(facts("c-1")), now);
        assertTrue(pool.take(3, now).isPresent());
        assertEquals(2, pool.size(), "claim 2 is not judged by this list");
    }

    @Test
    void keepsTheClaimOfAPodThatWasNeverCreated() {
        hold(1);
        pool.dropped(1, now);
        assertTrue(pool.take(2, now).isPresent());
        assertEquals(List.of(), of(ListClaims.class));
    }

    @Test
    void deletesTheClaimOfAPodThatMayExist() {
        hold(1);
        pool.doubtful(1, now);
        assertEquals(List.of(new DeleteClaim(1)), of(DeleteClaim.class));
        assertFalse(settleAndTake(2));
        pool.deleted(1, UNKNOWN, now);
        pass(Duration.ofSeconds(2));
        pool.settle(0, 1, now);
        assertEquals(2, of(DeleteClaim.class).size(), "the request is repeated");
        pool.deleted(1, DONE, now);
        assertEquals(Long.MAX_VALUE, pool.remaining(now));
    }

    @Test
    void deletesWhatNobodyNeedsBeyondTheExecutors() {
        for (int executor = 1; executor <= 3; executor++) {
            hold(executor);
        }
        pool.gone(3, now);
        pool.settle(0, 2, now);
        assertEquals(List.of(new DeleteClaim(3)), of(DeleteClaim.class));
        pool.gone(2, now);
        pool.settle(0, 2, now);
        assertEquals(1, of(DeleteClaim.class).size(), "two claims for two executors");
    }

    @Test
    void waitsForTheClaimsOfOthersIfTold() {
        pool = pool(new ClaimSettings(true, true, true, false), DATA);
        assertFalse(pool.settle(1, 1, now));
        pool.send(now);
        pool.created(1, DONE, false, now);
        pool.take(1, now);
        assertTrue(pool.settle(1, 1, now));
        assertEquals(1, pool.size());
        pool.gone(1, now);
        assertFalse(pool.settle(1, 1, now));
    }

    @Test
    void makesRoomForTheKindOfClaimThatIsLacking() {
        pool = pool(new ClaimSettings(true, true, true, false), DATA, spec("scratch", "1Gi"));
        pool.settle(1, 1, now);
        pool.send(now);
        pool.send(now);
        pool.created(1, DONE, false, now);
        pool.created(2, DONE, false, now);
        pool.take(1, now);
        pool.gone(1, now);
        assertFalse(pool.settle(1, 1, now));
        pool.listed(List.of(facts("c-1", "fast", MODE, "1Gi", false), facts("c-2", "fast", MODE, "1Gi", false)), now);
        assertTrue(pool.take(2, now).isEmpty());
        assertTrue(pool.settle(1, 1, now));
        assertEquals(List.of(new DeleteClaim(2)), of(DeleteClaim.class), "two serve the small volume");
        pool.deleted(2, DONE, now);
        assertFalse(pool.settle(1, 1, now));
        pool.send(now);
        pool.created(3, DONE, false, now);
        assertTrue(pool.take(2, now).isPresent());
    }

    @Test
    void reusesNothingWithoutTheRightToListAndSaysItOnce() {
        hold(1);
        hold(2);
        pool.gone(1, now);
        settleAndTake(3);
        pool.notListed(DENIED, now);
        assertEquals(1, of(Warn.class).size());
        assertEquals(List.of(new DeleteClaim(1)), of(DeleteClaim.class));
        pool.gone(2, now);
        pool.settle(1, 3, now);
        assertEquals(1, of(Warn.class).size());
        assertEquals(1, of(ListClaims.class).size());
        assertEquals(2, of(DeleteClaim.class).size());
    }

    @Test
    void pausesAfterAListThatFailed() {
        hold(1);
        pool.gone(1, now);
        settleAndTake(2);
        pool.notListed(UNKNOWN, now);
        pool.settle(1, 1, now);
        assertEquals(1, of(ListClaims.class).size());
        assertEquals(Duration.ofSeconds(1).toNanos(), pool.remaining(now));
        pass(Duration.ofSeconds(1));
        pool.settle(1, 1, now);
        assertEquals(2, of(ListClaims.class).size());
    }

    @Test
    void warnsOnceIfClaimsCannotBeDeleted() {
        hold(1);
        hold(2);
        pool.doubtful(1, now);
        pool.doubtful(2, now);
        pool.deleted(1, DENIED, now);
        pool.deleted(2, DENIED, now);
        assertEquals(1, of(Warn.class).size());
        assertEquals(0, pool.size());
    }

    @Test
    void givesClaimsToThePodThatMountsThem() {
        pool = pool(new ClaimSettings(false, true, false, false), DATA);
        hold(1);
        assertEquals(List.of(), of(OwnClaims.class));
        pool.mounted(1);
        pool.mounted(1);
        assertEquals(List.of(new OwnClaims(1, List.of(1L))), of(OwnClaims.class));
        pool.owned(1, UNKNOWN, now);
        pass(Duration.ofSeconds(1));
        pool.settle(0, 1, now);
        assertEquals(2, of(OwnClaims.class).size(), "the request is repeated");
        pool.owned(1, DONE, now);
        pool.gone(1, now);
        assertEquals(0, pool.size());
        assertEquals(List.of(), of(DeleteClaim.class), "the cluster deletes it");
    }

    @Test
    void deletesAClaimWhosePodNeverBecameItsOwner() {
        pool = pool(new ClaimSettings(false, true, false, false), DATA);
        hold(1);
        pool.mounted(1);
        pool.owned(1, DENIED, now);
        pool.gone(1, now);
        assertEquals(List.of(new DeleteClaim(1)), of(DeleteClaim.class));
    }

    @Test
    void leavesClaimsToTheDriverIfItOwnsThem() {
        hold(1);
        pool.mounted(1);
        assertEquals(List.of(), of(OwnClaims.class));
    }
}
