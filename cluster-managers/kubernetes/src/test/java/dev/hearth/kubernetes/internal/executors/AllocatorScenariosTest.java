package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.GiveUp;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Hindered;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Lost;
import dev.hearth.kubernetes.internal.executors.Slot.Phase;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import dev.hearth.spi.cluster.ProfileId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests, cancellations and ends of pods as users of Spark know them (docs/suites-kubernetes.md). */
class AllocatorScenariosTest {
    private static final Duration GATHERED = Duration.ofMillis(60);

    private AllocatorScene scene = new AllocatorScene(AllocatorSettings.DEFAULTS);

    private static Answer refused(RefusalKind kind) {
        return new Answer.Refused(kind, "refused as " + kind);
    }

    /** As in ExecutorPodsAllocatorSuite: executors of each profile are counted for themselves. */
    @Test
    void requestsAndCancelsExecutorsByProfile() {
        ProfileId large = new ProfileId(1);
        scene.want(Map.of(large, 2, ProfileId.DEFAULT, 1));
        assertEquals(List.of("1 of 0", "2 of 1", "3 of 1"), ofProfiles());
        scene.run(1, 3).want(Map.of(ProfileId.DEFAULT, 2, large, 1));
        assertEquals(List.of("4 of 0"), ofProfiles(), "although there is one too many of the other");
        assertEquals(List.of(), scene.pass(GATHERED).deleted(), "executors that run are ended by the driver alone");
        scene.created(4).want(Map.of(large, 1));
        assertEquals(List.of(4L), scene.pass(GATHERED).deleted(), "a profile that is not named is not wanted");
        scene.want(Map.of(large, 3));
        assertEquals(List.of("5 of 1"), ofProfiles());
        scene.created(5).seen(5, AllocatorScene.RUNNING);
        assertEquals(
                List.of(large),
                scene.of(AllocatorEffect.Started.class)
                        .map(AllocatorEffect.Started::profile)
                        .toList());
    }

    private List<String> ofProfiles() {
        return scene.of(AllocatorEffect.CreatePod.class)
                .map(created -> created.executor() + " of " + created.profile().value())
                .toList();
    }

    @Test
    void requestsNoMoreThanMayBePending() {
        scene = new AllocatorScene(AllocatorScene.bounded(3, Integer.MAX_VALUE));
        assertEquals(List.of(1L, 2L, 3L), scene.want(10).requested());
        assertEquals(List.of(), scene.created(1).requested());
        assertEquals(List.of(), scene.seen(1, AllocatorScene.SCHEDULED).requested(), "its container does not run yet");
        assertEquals(List.of(4L), scene.seen(1, AllocatorScene.RUNNING).requested());
        assertEquals(3, scene.allocator.slots().pending());
    }

    @Test
    void endsAnApplicationThatNeedsMorePodsThanItMayCreate() {
        scene = new AllocatorScene(AllocatorScene.bounded(Integer.MAX_VALUE, 2));
        scene.want(2).run(1, 2);
        assertEquals(0, scene.of(GiveUp.class).count());
        scene.seen(1, AllocatorScene.ended(1));
        GiveUp end = scene.of(GiveUp.class).findFirst().orElseThrow();
        assertTrue(end.reason().contains("hearth.kubernetes.allocation.maximum"), end::reason);
    }

    @Test
    void requestsAnotherPodForOneThatFailed() {
        scene.want(2).run(1, 2);
        scene.seen(1, AllocatorScene.ended(1));
        assertEquals(List.of(3L), scene.requested());
        assertEquals(List.of(1L), scene.pass(GATHERED).deleted());
    }

    @Test
    void scalesUpAndDown() {
        assertEquals(8, scene.want(8).requested().size());
        scene.run(1, 8);
        assertEquals(List.of(9L, 10L, 11L, 12L), scene.want(12).requested());
        scene.created(9).want(9).created(12, AllocatorScene.DONE).created(11, AllocatorScene.DONE);
        scene.created(10, AllocatorScene.DONE).pass(GATHERED);
        assertEquals(
                List.of(10L, 11L, 12L), scene.deleted(), "requests under way are taken back once they are answered");
        assertEquals(9, scene.allocator.slots().live());
    }

    @Test
    void requestsMoreWhileOtherPodsArePending() {
        scene.want(2).created(1);
        scene.created(2);
        assertEquals(List.of(3L, 4L), scene.want(4).requested());
    }

    @Test
    void endsNoRunningExecutorWhenFewerAreWanted() {
        scene.want(3).run(1, 3);
        scene.want(1).pass(GATHERED);
        assertEquals(List.of(), scene.deleted(), "the driver alone knows which of them are idle");
        scene.release(List.of(2L)).pass(GATHERED);
        assertEquals(List.of(2L), scene.deleted());
    }

    @Test
    void takesBackAPodWithAHostOnlyAfterTheIdleTimeout() {
        scene.want(1).created(1).seen(1, AllocatorScene.SCHEDULED).want(0);
        scene.pass(Duration.ofSeconds(59)).pass(GATHERED);
        assertEquals(List.of(), scene.deleted(), "its image is on the way");
        scene.pass(Duration.ofSeconds(1)).pass(GATHERED);
        assertEquals(List.of(1L), scene.deleted());
    }

    @Test
    void replacesAPodThatHasAHostAndDoesNotRun() {
        scene.want(1).created(1).seen(1, AllocatorScene.SCHEDULED).pass(Duration.ofMinutes(10));
        assertEquals(Phase.ENDING, scene.allocator.slots().find(1).phase);
        assertEquals(List.of(2L), scene.pass(Duration.ofSeconds(1)).requested());
    }

    @Test
    void waitsForAPodWithoutAHost() {
        scene.want(1).created(1).seen(1, AllocatorScene.SCHEDULED.unscheduled("0/3 nodes are available"));
        scene.pass(Duration.ofHours(2));
        assertEquals(Phase.CREATED, scene.allocator.slots().find(1).phase, "the cluster may get another node");
    }

    @Test
    void givesUpARequestThatWasNeverAnswered() {
        scene.want(1);
        for (int i = 0; i < 70; i++) {
            scene.created(1, AllocatorScene.UNKNOWN).pass(Duration.ofSeconds(10));
            if (!scene.requested().equals(List.of(1L))) {
                break;
            }
        }
        assertEquals(List.of(2L), scene.requested());
        scene.pass(GATHERED);
        assertEquals(List.of(1L), scene.deleted(), "it may exist");
    }

    @Test
    void reportsTheEndOfAnExecutorOnce() {
        scene.want(1).run(1, 1).seen(1, AllocatorScene.ended(1));
        assertEquals(1, scene.of(Lost.class).count());
        assertEquals(0, scene.seen(1, AllocatorScene.ended(1)).of(Lost.class).count());
        assertEquals(
                0, scene.vanished(1, AllocatorScene.ended(1)).of(Lost.class).count());
    }

    @Test
    void reportsNoEndOfAnExecutorThatNeverStarted() {
        scene.want(1)
                .created(1)
                .seen(
                        1,
                        AllocatorScene.SCHEDULED
                                .because("OutOfcpu", "")
                                .in("Failed", ContainerFacts.waiting("x", "", "")));
        assertEquals(0, scene.of(Lost.class).count());
        assertEquals(List.of(2L), scene.pass(Duration.ofSeconds(1)).requested());
    }

    @Test
    void sendsNoSecondDeletionWhileTheFirstIsUnderWay() {
        scene.want(1).run(1, 1).seen(1, AllocatorScene.ended(1)).pass(GATHERED);
        assertEquals(List.of(1L), scene.deleted());
        scene.seen(1, AllocatorScene.ended(1).deletingWithin(5)).pass(GATHERED);
        assertEquals(List.of(), scene.deleted());
    }

    @Test
    void repeatsADeletionThatFailed() {
        scene.want(1).run(1, 1).seen(1, AllocatorScene.ended(1)).pass(GATHERED);
        scene.deleted(List.of(1L), AllocatorScene.UNKNOWN).pass(Duration.ofSeconds(1));
        assertEquals(List.of(1L), scene.deleted());
    }

    @Test
    void deletesNoPodThatIsBeingDeleted() {
        scene.want(1).run(1, 1).seen(1, AllocatorScene.RUNNING.deletingWithin(30));
        scene.seen(1, AllocatorScene.ended(143).deletingWithin(30)).pass(GATHERED);
        assertEquals(List.of(), scene.deleted());
    }

    @Test
    void reportsAnExecutorWhosePodIsGone() {
        scene.want(1).run(1, 1).vanished(1, AllocatorScene.RUNNING);
        Lost lost = scene.of(Lost.class).findFirst().orElseThrow();
        assertEquals(Cause.PREEMPTED, lost.why().cause());
        assertEquals(List.of(2L), scene.requested());
    }

    @Test
    void replacesALostExecutorAtOnce() {
        scene.want(1)
                .run(1, 1)
                .seen(
                        1,
                        AllocatorScene.RUNNING
                                .because("NodeLost", "")
                                .in("Failed", ContainerFacts.waiting("x", "", "")));
        assertEquals(List.of(2L), scene.requested(), "by the event that reports the loss");
    }

    @Test
    void doesNotPauseAfterAPreemptionBeforeTheRegistration() {
        scene.want(1).created(1).seen(1, AllocatorScene.RUNNING);
        scene.seen(1, AllocatorScene.ended(143).disrupted("PreemptionByScheduler"));
        assertEquals(List.of(2L), scene.requested());
    }

    @Test
    void doesNotPauseAfterARequestThatWasTakenBack() {
        scene.want(1).want(0).vanished(1, AllocatorScene.SCHEDULED);
        assertEquals(List.of(2L), scene.want(1).requested());
    }

    @Test
    void gathersTheDeletionsOfAShortTime() {
        scene.want(300).run(1, 300);
        scene.release(LongStream.rangeClosed(1, 300).boxed().toList()).pass(GATHERED);
        assertEquals(
                List.of(200, 100),
                scene.of(AllocatorEffect.DeletePods.class)
                        .map(effect -> effect.executors().size())
                        .toList());
    }

    @Test
    void requestsAndEndsNothingOnStaleFacts() {
        scene.want(2).created(1);
        scene.created(2).stale("the API server is away");
        assertEquals(List.of(), scene.want(5).requested());
        assertEquals(List.of(), scene.want(0).pass(GATHERED).deleted());
        scene.stale("").pass(GATHERED);
        assertEquals(List.of(1L, 2L), scene.deleted());
    }

    /** Refusals that say nothing about the pod itself. */
    @ParameterizedTest
    @EnumSource(
            value = RefusalKind.class,
            names = {"QUOTA", "THROTTLED", "SERVER", "WEBHOOK_DOWN", "CONFLICT", "UNAUTHENTICATED"})
    void doesNotCountARefusalThatMayPass(RefusalKind kind) {
        scene.want(1);
        for (int i = 0; i < 30; i++) {
            List<Long> requested = scene.requested();
            if (!requested.isEmpty()) {
                scene.created(requested.get(0), refused(kind));
                assertEquals(0, scene.of(GiveUp.class).count(), "after " + i);
            }
            scene.pass(Duration.ofSeconds(15));
        }
        assertTrue(scene.requested().size() <= 1, "one request at a time");
    }

    @Test
    void waitsForAQuotaForAnHourAndSaysSoOnce() {
        scene.want(1);
        long said = 0;
        for (int i = 0; i < 240; i++) {
            List<Long> requested = scene.requested();
            if (!requested.isEmpty()) {
                scene.created(requested.get(0), refused(RefusalKind.QUOTA));
                said += scene.of(Hindered.class).count();
            }
            assertEquals(0, scene.of(GiveUp.class).count(), "a quota is no failure");
            scene.pass(Duration.ofSeconds(15));
        }
        assertEquals(1, said);
    }

    @Test
    void endsAnApplicationWhosePodsAreRefusedForGood() {
        scene.want(1);
        for (int i = 0; i < 3; i++) {
            assertEquals(0, scene.of(GiveUp.class).count());
            scene.created(scene.requested().get(0), refused(RefusalKind.INVALID));
            if (i < 2) {
                scene.pass(Duration.ofSeconds(61));
            }
        }
        assertEquals(1, scene.of(GiveUp.class).count());
    }

    @Test
    void forgetsFailuresAfterTheirTime() {
        FailureBudget budget = new FailureBudget(OptionalInt.of(2), Optional.of(Duration.ofMinutes(1)));
        long now = -3;
        for (int i = 0; i < 10; i++) {
            budget.failed(now);
            assertTrue(budget.exceeded(now).isEmpty(), "failure " + i);
            now += Duration.ofSeconds(31).toNanos();
        }
        budget.failed(now);
        budget.failed(now);
        assertTrue(budget.exceeded(now).isPresent());
    }

    @Test
    void reportsNothingOfARefusedRegistration() {
        scene.want(1).run(1, 1).close();
        assertEquals(
                0,
                scene.seen(1, AllocatorScene.ended(1))
                        .of(AllocatorEffect.Started.class)
                        .count());
        assertEquals(List.of(), scene.want(5).requested(), "a closing application requests nothing");
    }

    @Test
    void ignoresTheDecommissioningOfAnExecutorThatItDoesNotKnow() {
        scene.want(1).run(1, 1).release(List.of(7L)).pass(GATHERED);
        assertEquals(List.of(), scene.deleted());
        assertEquals(1, scene.allocator.slots().live());
    }
}
