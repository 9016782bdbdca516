package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.CreatePod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeleteAllPods;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.DeletePods;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Leaving;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Lost;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.ReadPod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Started;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.kubernetes.internal.volumes.ClaimSpec;
import dev.hearth.kubernetes.internal.volumes.VolumeEffect;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Single decisions of the allocator, event by event: those whose omission the cluster would hide sooner or later. */
class PodAllocatorTest {
    private static final Answer DONE = new Answer.Done(Optional.empty());
    private static final Answer UNKNOWN = new Answer.Unknown("no answer");
    private static final PodFacts RUNNING =
            PodFacts.PENDING.on("node-1").in("Running", ContainerFacts.running(Verdict.EXECUTOR_CONTAINER));

    private final PodAllocator allocator =
            new PodAllocator(AllocatorSettings.DEFAULTS, number -> "pod-" + number, number -> "claim-" + number);
    private final List<AllocatorEffect> effects = new ArrayList<>();
    private long now;

    @BeforeEach
    void list() {
        allocator.stale("", now);
    }

    private void pass(Duration time) {
        now += time.toNanos();
        effects.clear();
        effects.addAll(allocator.wake(now));
    }

    private void want(int executors) {
        effects.clear();
        effects.addAll(allocator.want(executors, now));
    }

    private void created(long executor, Answer answer) {
        effects.clear();
        effects.addAll(allocator.created(executor, answer, false, now));
    }

    private void seen(long executor, PodFacts pod) {
        effects.clear();
        effects.addAll(allocator.seen(executor, pod, now));
    }

    private void vanished(long executor, PodFacts last) {
        effects.clear();
        effects.addAll(allocator.vanished(executor, last, now));
    }

    private void listed(Duration requestedAgo) {
        effects.clear();
        effects.addAll(allocator.listed(now - requestedAgo.toNanos(), now));
    }

    private List<Long> requested() {
        return of(CreatePod.class).map(CreatePod::executor).toList();
    }

    private List<Long> deleted() {
        return of(DeletePods.class)
                .flatMap(effect -> effect.executors().stream())
                .toList();
    }

    private <T> Stream<T> of(Class<T> kind) {
        return effects.stream().filter(kind::isInstance).map(kind::cast);
    }

    @Test
    void takesBackTheNewestRequestsFirst() {
        want(3);
        for (long executor = 1; executor <= 3; executor++) {
            created(executor, DONE);
        }
        want(2);
        pass(Duration.ofMillis(60));
        assertEquals(List.of(3L), deleted());
    }

    @Test
    void requestsAReplacementOnceAnExecutorLeaves() {
        want(1);
        created(1, DONE);
        seen(1, RUNNING);
        assertEquals(1, of(Started.class).count());
        seen(1, RUNNING.deletingWithin(30));
        assertEquals(1, of(Leaving.class).count());
        assertEquals(List.of(2L), requested());
    }

    private void doubted(long executor) {
        effects.clear();
        effects.addAll(allocator.doubted(executor, now));
    }

    private void read(long executor, Answer answer) {
        effects.clear();
        effects.addAll(allocator.read(executor, answer, now));
    }

    private static Answer found(PodFacts pod) {
        return new Answer.Done(Optional.of(ObjectFacts.of("pod-1", "u1", "7").with(pod)));
    }

    private void run(long executor) {
        want(1);
        created(executor, DONE);
        seen(executor, RUNNING);
    }

    @Test
    void countsADoubtedExecutorAsLostWithItsNode() {
        run(1);
        seen(1, RUNNING.withNodeSilent(true));
        assertEquals(0, of(Lost.class).count(), "the driver receives its messages");
        doubted(1);
        assertEquals(List.of(new ReadPod(1)), of(ReadPod.class).toList());
        read(1, found(RUNNING.withNodeSilent(true)));
        LostExecutor why = of(Lost.class).findFirst().orElseThrow().why();
        assertEquals(Cause.HOST_LOST, why.cause());
        assertTrue(why.reason().contains("node-1: the node is not ready"), why.reason());
        assertEquals(List.of(2L), requested());
    }

    @Test
    void learnsOfASilentNodeSoonAfterTheDoubt() {
        run(1);
        doubted(1);
        read(1, found(RUNNING));
        assertEquals(0, of(Lost.class).count(), "its node is ready");
        pass(Slot.DOUBT_MAX);
        seen(1, RUNNING.withNodeSilent(true));
        assertEquals(
                Cause.HOST_LOST, of(Lost.class).findFirst().orElseThrow().why().cause());
    }

    @Test
    void forgetsAnOldDoubt() {
        run(1);
        doubted(1);
        pass(Slot.DOUBT_MAX.plusSeconds(1));
        seen(1, RUNNING.withNodeSilent(true));
        assertEquals(0, of(Lost.class).count(), "the driver has received a message since, or has given it up");
    }

    @Test
    void reportsADoubtedExecutorWhosePodIsGone() {
        run(1);
        doubted(1);
        read(1, UNKNOWN);
        assertEquals(0, of(Lost.class).count());
        read(1, new Answer.Missing());
        assertEquals(
                Cause.PREEMPTED, of(Lost.class).findFirst().orElseThrow().why().cause());
        assertEquals(List.of(2L), requested());
        vanished(1, RUNNING); // by the watch
        assertEquals(0, of(Lost.class).count());
    }

    @Test
    void readsNoPodOfAnExecutorThatIsLost() {
        doubted(9);
        assertEquals(0, of(ReadPod.class).count(), "it is not known");
        run(1);
        effects.clear();
        effects.addAll(allocator.release(List.of(1L), "idle", now));
        doubted(1);
        assertEquals(0, of(ReadPod.class).count());
        read(1, found(RUNNING.withNodeSilent(true)));
        assertEquals(0, of(Lost.class).count());
    }

    @Test
    void keepsAnUnsureRequestWhoseRepetitionIsRefused() {
        want(1);
        created(1, UNKNOWN);
        pass(Duration.ofMillis(300));
        assertEquals(List.of(1L), requested());
        created(1, new Answer.Refused(RefusalKind.QUOTA, "exceeded quota")); // counted before names are compared
        pass(Duration.ofSeconds(2));
        assertEquals(List.of(1L), requested(), "the pod may exist: no other one is requested");
    }

    @Test
    void deletesAllAgainIfAnAnswerComesWhileItCloses() {
        want(2);
        created(1, DONE);
        effects.clear();
        effects.addAll(allocator.close(now));
        assertEquals(1, of(DeleteAllPods.class).count());
        effects.clear();
        effects.addAll(allocator.allDeleted(DONE, now));
        created(2, DONE);
        assertEquals(1, of(DeleteAllPods.class).count(), "executor 2 came after the deletion");
        effects.clear();
        effects.addAll(allocator.allDeleted(DONE, now));
        assertEquals(PodAllocator.State.CLOSED, allocator.state());
    }

    @Test
    void deletesAllAgainIfAClaimComesWhileItCloses() {
        ClaimSpec data = new ClaimSpec("data", Optional.empty(), "1Gi", "ReadWriteOnce", Map.of(), Map.of());
        allocator.volumes(volumes -> volumes.open(List.of(data)), now);
        want(1);
        assertEquals(1, of(AllocatorEffect.OfVolumes.class).count());
        allocator.close(now);
        allocator.allDeleted(DONE, now);
        effects.clear();
        effects.addAll(allocator.claimCreated(1, DONE, false, now));
        assertEquals(1, of(DeleteAllPods.class).count(), "claim 1 came after the deletion");
        assertEquals(0, of(CreatePod.class).count());
    }

    @Test
    void reusesNoClaimOfAPodThatWasDeletedUnseen() {
        ClaimSpec data = new ClaimSpec("data", Optional.empty(), "1Gi", "ReadWriteOnce", Map.of(), Map.of());
        allocator.volumes(volumes -> volumes.open(List.of(data)), now);
        want(1);
        effects.clear();
        effects.addAll(allocator.claimCreated(1, DONE, false, now));
        created(1, DONE);
        want(0);
        pass(Duration.ofMillis(60));
        assertEquals(List.of(1L), deleted());
        effects.clear();
        effects.addAll(allocator.deleted(List.of(1L), DONE, now)); // the pod may still be ending
        assertEquals(
                List.of(new AllocatorEffect.OfVolumes(new VolumeEffect.DeleteClaim(1))),
                of(AllocatorEffect.OfVolumes.class).toList());
        want(1);
        assertEquals(List.of(), requested(), "a new claim is requested first");
    }

    @Test
    void requestsNoPodForAnExecutorThatIsNotWantedAnyMore() {
        ClaimSpec data = new ClaimSpec("data", Optional.empty(), "1Gi", "ReadWriteOnce", Map.of(), Map.of());
        allocator.volumes(volumes -> volumes.open(List.of(data)), now);
        want(1);
        want(0);
        assertEquals(0, allocator.slots().size());
        effects.clear();
        effects.addAll(allocator.claimCreated(1, DONE, false, now));
        assertEquals(List.of(), requested());
        want(1);
        assertEquals(List.of(2L), requested(), "it gets the claim that exists");
    }

    @Test
    void forgetsWhatHasVanished() {
        want(1);
        created(1, DONE);
        seen(1, RUNNING);
        want(0);
        vanished(1, RUNNING);
        assertEquals(1, of(Lost.class).count());
        assertEquals(0, allocator.slots().size());
    }

    @Test
    void deletesPodsThatItDoesNotExpect() {
        seen(7, RUNNING);
        pass(Duration.ofMillis(60));
        assertEquals(List.of(7L), deleted());
        assertEquals(0, of(Started.class).count());
    }

    @Test
    void believesInAPodThatOneListLacks() {
        want(1);
        created(1, DONE);
        pass(Duration.ofSeconds(1));
        listed(Duration.ofMillis(500));
        assertEquals(1, allocator.slots().live());
        assertEquals(List.of(), requested());
        listed(Duration.ofMillis(400));
        assertEquals(List.of(2L), requested(), "two lists lack it");
    }

    @Test
    void replacesAPodThatOneListLacksAndNoneFollows() {
        want(1);
        created(1, DONE);
        pass(Duration.ofSeconds(1));
        listed(Duration.ofMillis(500));
        pass(Duration.ofSeconds(50));
        assertEquals(List.of(), requested());
        pass(Duration.ofSeconds(20));
        assertEquals(List.of(2L), requested());
        pass(Duration.ofMillis(60));
        assertEquals(List.of(1L), deleted(), "in case it exists");
    }

    @Test
    void ignoresListsThatAreOlderThanThePod() {
        want(1);
        now += Duration.ofSeconds(5).toNanos();
        created(1, DONE);
        for (int i = 0; i < 3; i++) {
            listed(Duration.ofSeconds(1));
            assertEquals(List.of(), requested());
        }
        assertEquals(1, allocator.slots().live());
    }

    @Test
    void countsAReleasedExecutorAsNoFailure() {
        want(1);
        for (int i = 1; i <= 50; i++) {
            created(i, DONE);
            seen(i, RUNNING);
            allocator.registered(i, now);
            effects.clear();
            effects.addAll(allocator.release(List.of((long) i), "idle", now));
            assertEquals(List.of((long) i + 1), requested());
            vanished(i, RUNNING);
        }
        assertEquals(PodAllocator.State.OPEN, allocator.state());
    }

    @Test
    void endsAnApplicationWhoseRegisteredExecutorsFail() {
        want(1);
        int executor = 1;
        while (allocator.state() == PodAllocator.State.OPEN && executor < 100) {
            created(executor, DONE);
            seen(executor, RUNNING);
            allocator.registered(executor, now);
            seen(executor, RUNNING.in("Failed", ContainerFacts.ended(Verdict.EXECUTOR_CONTAINER, 1, "Error", "")));
            executor++;
        }
        assertEquals(PodAllocator.State.GIVEN_UP, allocator.state());
        assertEquals(5, executor, "the fourth failure ends it");
    }

    @Test
    void pausesAfterAnExecutorThatEndedBeforeItRegistered() {
        want(1);
        created(1, DONE);
        seen(1, RUNNING);
        seen(1, RUNNING.in("Failed", ContainerFacts.ended(Verdict.EXECUTOR_CONTAINER, 1, "Error", "")));
        assertEquals(List.of(), requested());
        pass(Duration.ofMillis(900));
        assertEquals(List.of(), requested());
        pass(Duration.ofMillis(200));
        assertEquals(List.of(2L), requested());
    }

    @Test
    void reportsWhyExecutorsEndBeforeTheyRegister() {
        want(1);
        created(1, DONE);
        PodFacts failed = PodFacts.PENDING
                .on("node-1")
                .in(
                        "Failed",
                        ContainerFacts.ended("prepare", 3, "Error", "no disk").asInit());
        seen(1, failed);
        String words =
                of(AllocatorEffect.Hindered.class).findFirst().orElseThrow().reason();
        assertTrue(words.contains("prepare (an init container) ended with exit status 3; no disk"), words);
        pass(Duration.ofSeconds(1));
        assertEquals(List.of(2L), requested());
        created(2, DONE);
        seen(2, RUNNING);
        effects.clear();
        effects.addAll(allocator.registered(2, now));
        assertEquals(
                "", of(AllocatorEffect.Hindered.class).findFirst().orElseThrow().reason());
    }

    @Test
    void replacesAPodWhoseImageDoesNotExist() {
        want(1);
        created(1, DONE);
        seen(
                1,
                PodFacts.PENDING
                        .on("node-1")
                        .in(
                                "Pending",
                                ContainerFacts.waiting(
                                        Verdict.EXECUTOR_CONTAINER, "ErrImageNeverPull", "image is not present")));
        pass(Duration.ofSeconds(29));
        pass(Duration.ofMillis(60));
        assertEquals(List.of(), deleted());
        pass(Duration.ofSeconds(1));
        pass(Duration.ofMillis(60));
        assertEquals(List.of(1L), deleted());
    }

    @Test
    void deletesAPodWhoseRequestWasTakenBack() {
        want(1);
        want(0);
        created(1, DONE);
        pass(Duration.ofMillis(60));
        assertEquals(List.of(1L), deleted());
    }

    @Test
    void deletesNothingOnceAnotherDriverHasTakenOver() {
        want(2);
        created(1, DONE);
        seen(1, RUNNING);
        allocator.superseded(now);
        vanished(1, RUNNING);
        created(2, DONE);
        want(5);
        assertEquals(List.of(), requested());
        effects.addAll(allocator.close(now));
        assertEquals(0, of(DeleteAllPods.class).count());
        assertEquals(List.of(), deleted());
        assertEquals(PodAllocator.State.CLOSED, allocator.state());
    }
}
