package dev.hearth.kubernetes.internal.following;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.spi.cluster.SubmissionState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** States of drivers, as the facts about their pods lead to them; time is an argument. */
class DriverFollowingTest {
    private static final String OWN = DriverObjects.CONTAINER;
    private static final PodFacts STARTING = PodFacts.PENDING.on("node-1");
    private static final PodFacts RUNNING = STARTING.in("Running", ContainerFacts.running(OWN));

    private final List<String> lines = new ArrayList<>();
    private final List<FollowingEffect.Changed> changes = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private long now = -5_000_000_000L;
    private DriverFollowing following = following(false);

    private DriverFollowing following(boolean supervised) {
        return new DriverFollowing(
                new DriverFollowing.Application("pi", "spark-1", "spark:pi-driver"),
                new DriverFollowing.Settings(
                        Duration.ofMinutes(5), Duration.ofSeconds(60), Duration.ofMinutes(10), supervised),
                now);
    }

    private void perform(List<FollowingEffect> effects) {
        effects.forEach(effect -> effect.perform(new FollowingEffect.Handler() {
            @Override
            public void onSay(FollowingEffect.Say say) {
                lines.addAll(say.lines());
            }

            @Override
            public void onChanged(FollowingEffect.Changed changed) {
                changes.add(changed);
            }

            @Override
            public void onReadLog(FollowingEffect.ReadLog read) {
                requests.add("log");
            }

            @Override
            public void onDeletePod(FollowingEffect.DeletePod delete) {
                requests.add("delete");
            }

            @Override
            public void onLost(FollowingEffect.Lost lost) {
                requests.add("lost " + lost.reason());
            }

            @Override
            public void onWake(FollowingEffect.Wake wake) {
                // the test itself lets time pass
            }
        }));
    }

    private static ObjectFacts object(PodFacts pod, int restarts) {
        List<PodDetails.ContainerDetails> containers = pod.containers().stream()
                .map(container ->
                        new PodDetails.ContainerDetails(container, "hearth:1", "", "", restarts, OptionalInt.of(1)))
                .toList();
        PodDetails details = new PodDetails("spark", "", "", List.of(), "", containers);
        return ObjectFacts.of("pi-driver", "u", "1").with(pod).with(details);
    }

    private void seen(PodFacts pod) {
        perform(following.seen(object(pod, 0), now));
    }

    private void after(Duration time) {
        now += time.toNanos();
        perform(following.wake(now));
    }

    private List<SubmissionState> states() {
        return changes.stream().map(FollowingEffect.Changed::state).toList();
    }

    private FollowingEffect.Changed last() {
        return changes.get(changes.size() - 1);
    }

    @Test
    void followsADriverToItsEnd() {
        perform(following.begin(now));
        seen(PodFacts.PENDING);
        seen(STARTING);
        seen(RUNNING);
        seen(STARTING.in("Succeeded", ContainerFacts.ended(OWN, 0, "Completed", "")));
        perform(following.logRead(new Answer.Text("3.14\n"), now));

        assertEquals(SubmissionState.FINISHED, last().state());
        assertEquals(OptionalInt.of(0), last().exitStatus());
        assertEquals("3.14\n", last().log());
        assertEquals("pod pi-driver on node node-1", last().placement());
        assertEquals(
                "Waiting for application pi with application ID spark-1 and submission ID spark:pi-driver to finish...",
                lines.get(0));
        assertTrue(lines.contains("Container final statuses:"));
        assertEquals(
                "Application pi with application ID spark-1 and submission ID spark:pi-driver finished",
                lines.get(lines.size() - 1));
        assertEquals(List.of("log"), requests);

        seen(RUNNING); // a late event
        perform(following.vanished(object(RUNNING, 0), now));
        assertEquals(SubmissionState.FINISHED, last().state());
    }

    @Test
    void reportsTheStatusOfAFailedDriver() {
        seen(RUNNING);
        seen(STARTING.in("Failed", ContainerFacts.ended(OWN, 3, "Error", "error: no input")));
        perform(following.logRead(new Answer.Text("x\nerror: no input\n"), now));
        assertEquals(List.of(SubmissionState.RUNNING, SubmissionState.FAILED), states());
        assertEquals(OptionalInt.of(3), last().exitStatus());
        assertEquals("exit status 3, error: no input", last().message());
    }

    @Test
    void explainsLackOfMemory() {
        seen(RUNNING);
        seen(STARTING.in("Failed", ContainerFacts.ended(OWN, 137, "OOMKilled", "")));
        perform(following.logRead(new Answer.Missing(), now));
        assertEquals(OptionalInt.of(137), last().exitStatus());
        assertTrue(last().message().contains("raise hearth.driver.memory"), last()::message);
    }

    @Test
    void reportsADeletedDriverAsKilled() {
        seen(RUNNING);
        seen(RUNNING.deletingWithin(30));
        assertEquals("is being ended", last().message());
        perform(following.vanished(object(RUNNING.deletingWithin(30), 0), now));
        assertEquals(SubmissionState.KILLED, last().state());
        assertEquals("the driver's pod was deleted", last().message());
    }

    @Test
    void reportsAnEndThatIsKnownThoughThePodIsGone() {
        seen(RUNNING);
        perform(following.vanished(object(STARTING.in("Failed", ContainerFacts.ended(OWN, 7, "Error", "")), 0), now));
        assertEquals(SubmissionState.FAILED, last().state());
        assertEquals(OptionalInt.of(7), last().exitStatus());
    }

    @Test
    void reportsAnEvictedPodThatNeverRan() {
        seen(STARTING.in("Failed", ContainerFacts.waiting("other", "", "")).because("Evicted", "low on disk"));
        perform(following.logRead(new Answer.Text(""), now));
        assertEquals(SubmissionState.ERROR, last().state());
        assertEquals(OptionalInt.of(7), last().exitStatus());
        assertEquals("the driver's container never ran: Evicted: low on disk", last().message());
    }

    @Test
    void saysWhyNoNodeIsFound() {
        seen(PodFacts.PENDING.unscheduled("0/3 nodes are available"));
        seen(PodFacts.PENDING.unscheduled("0/3 nodes are available"));
        assertEquals("waits for a node: 0/3 nodes are available", last().message());
        assertEquals(
                1,
                lines.stream()
                        .filter(line -> line.equals("driver pod pi-driver waits for a node: 0/3 nodes are available"))
                        .count());
        after(Duration.ofSeconds(61));
        assertEquals(
                "Application status for spark-1 (phase: Pending): waits for a node: 0/3 nodes are available",
                lines.get(lines.size() - 1));
        after(Duration.ofHours(5));
        assertEquals(SubmissionState.SUBMITTED, last().state());
    }

    @Test
    void endsADriverWhoseImageDoesNotExist() {
        seen(STARTING.in("Pending", ContainerFacts.waiting(OWN, "ErrImageNeverPull", "image is not present")));
        assertTrue(lines.get(lines.size() - 1).contains("ErrImageNeverPull: image is not present"), lines::toString);
        after(Duration.ofSeconds(14));
        assertEquals(List.of(), requests);
        after(Duration.ofSeconds(1));
        assertEquals(List.of("delete"), requests);
        perform(following.deleted(new Answer.Done(Optional.empty()), now));
        assertEquals(SubmissionState.ERROR, last().state());
        assertEquals(OptionalInt.of(7), last().exitStatus());
        assertTrue(last().message().contains("ErrImageNeverPull"));
    }

    @Test
    void waitsForARegistryThatIsAway() {
        seen(STARTING.in("Pending", ContainerFacts.waiting(OWN, "ImagePullBackOff", "i/o timeout")));
        after(Duration.ofMinutes(4));
        assertEquals(List.of(), requests);
        seen(RUNNING);
        after(Duration.ofMinutes(4));
        assertEquals(List.of(SubmissionState.SUBMITTED, SubmissionState.RUNNING), states());
    }

    @Test
    void endsAfterTheTimeForImages() {
        seen(STARTING.in("Pending", ContainerFacts.waiting(OWN, "ImagePullBackOff", "i/o timeout")));
        after(Duration.ofMinutes(5));
        after(Duration.ofSeconds(6)); // the request to delete has no answer
        assertEquals(SubmissionState.ERROR, last().state());
    }

    @Test
    void knowsNothingWhileTheApiServerIsAway() {
        seen(RUNNING);
        perform(following.stale("no answer of the API server", now));
        assertEquals(SubmissionState.UNKNOWN, last().state());
        after(Duration.ofMinutes(9));
        perform(following.stale("", now));
        assertEquals(SubmissionState.RUNNING, last().state());

        perform(following.stale("no answer of the API server", now));
        after(Duration.ofMinutes(10));
        assertTrue(requests.get(0).contains("submit --status spark:pi-driver"), requests::toString);
        assertEquals(DriverFollowing.State.ENDED, following.state());
        int known = changes.size();
        seen(RUNNING);
        assertEquals(known, changes.size());
    }

    @Test
    void staysSubmittedIfTheApiServerIsAwayBeforeTheStart() {
        seen(STARTING);
        perform(following.stale("no answer of the API server", now));
        assertEquals(SubmissionState.SUBMITTED, last().state());
        assertEquals("no answer of the API server", last().message());
    }

    @Test
    void reportsTheRestartsOfASupervisedDriver() {
        following = following(true);
        seen(RUNNING);
        perform(following.seen(object(STARTING.in("Running", ContainerFacts.ended(OWN, 1, "Error", "")), 0), now));
        perform(following.seen(
                object(STARTING.in("Running", ContainerFacts.waiting(OWN, "CrashLoopBackOff", "")), 0), now));
        perform(following.seen(object(RUNNING, 1), now));
        assertEquals(2, last().attempt());
        perform(following.seen(
                object(STARTING.in("Succeeded", ContainerFacts.ended(OWN, 0, "Completed", "")), 1), now));
        perform(following.logRead(new Answer.Text(""), now));
        assertEquals(
                List.of(
                        SubmissionState.RUNNING,
                        SubmissionState.RELAUNCHING,
                        SubmissionState.RUNNING,
                        SubmissionState.FINISHED),
                states());
        assertTrue(lines.contains("driver pod pi-driver: exit status 1; start 2 follows"), lines::toString);
    }

    @Test
    void countsARestartOfWhichNoEndWasSeen() {
        following = following(true);
        seen(RUNNING);
        perform(following.seen(object(RUNNING, 2), now));
        assertEquals(List.of(SubmissionState.RUNNING, SubmissionState.RELAUNCHING, SubmissionState.RUNNING), states());
        assertEquals("exit status 1; start 3 follows", changes.get(1).message());
        assertEquals(3, last().attempt());
    }

    @Test
    void reportsADriverThatFailsBeforeItIsSeenRunning() {
        following = following(true);
        seen(STARTING);
        perform(following.seen(
                object(STARTING.in("Running", ContainerFacts.waiting(OWN, ContainerFacts.BACK_OFF, "")), 3), now));
        assertEquals(SubmissionState.RELAUNCHING, last().state());
        assertEquals("exit status 1; start 5 follows", last().message());
    }

    @Test
    void doesNotRestartADriverWhosePodIsDeleted() {
        following = following(true);
        seen(RUNNING);
        perform(following.seen(
                object(
                        STARTING.in("Running", ContainerFacts.ended(OWN, 143, "Error", ""))
                                .deletingWithin(30),
                        0),
                now));
        perform(following.logRead(new Answer.Text(""), now));
        assertEquals(SubmissionState.KILLED, last().state());
        assertEquals(List.of("log"), requests);
    }

    @Test
    void endsASupervisedDriverWhosePodIsDeletedWhileItWaits() {
        following = following(true);
        seen(RUNNING);
        ObjectFacts waiting =
                object(STARTING.in("Running", ContainerFacts.waiting(OWN, ContainerFacts.BACK_OFF, "")), 4);
        perform(following.seen(waiting, now));
        perform(following.vanished(waiting, now));
        assertEquals(SubmissionState.KILLED, last().state());
    }
}
