package dev.hearth.local.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.process.ChildExit;
import dev.hearth.spi.process.OutputFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Behaviour of a local cluster, event by event. */
class LocalClusterTest {
    private static final ExecutorId FIRST = new ExecutorId("0");
    private static final ExecutorId SECOND = new ExecutorId("1");
    private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long MINUTE_NANOS = Duration.ofMinutes(1).toNanos();

    private final LocalCluster cluster = new LocalCluster(settings(2, 4, Optional.empty()), 0);

    @Test
    void startsTheWantedExecutorsUpToTheLimitOfTheUrl() {
        cluster.want(1, 0);
        assertEquals(List.of("start 0"), effects(cluster));
        cluster.want(1, 0);
        assertEquals(List.of(), effects(cluster));
        cluster.want(Integer.MAX_VALUE, 0);
        assertEquals(List.of("start 1"), effects(cluster));
        cluster.want(0, 0); // a smaller total alone stops none: the driver releases specific executors
        assertEquals(List.of(), effects(cluster));
    }

    @Test
    void replacesAFailedExecutorUnderANewId() {
        bothRun();
        cluster.ended(FIRST, exit(137, "log\nerror: disk full\n"), List.of("/w/stderr"), 2 * MINUTE_NANOS);
        assertEquals(
                List.of("lost 0 FAILED exit status 137 (killed by SIGKILL): disk full; see /w/stderr", "start 2"),
                effects(cluster));
    }

    @Test
    void stopsAReleasedExecutorAndReplacesItWhileWanted() {
        bothRun();
        cluster.release(Set.of(FIRST, new ExecutorId("77")), "silent", 0);
        cluster.release(Set.of(FIRST), "again", 0);
        assertEquals(List.of("stop 0", "start 2"), effects(cluster));
        cluster.ended(FIRST, exit(143, ""), List.of(), 0);
        assertEquals(List.of("lost 0 RELEASED silent, exit status 143"), effects(cluster));
    }

    @Test
    void givesTheShareOfAnEndedProcessAloneToItsReplacement() {
        Map<String, ResourceRequest> gpus = Map.of("gpu", new ResourceRequest("gpu", 1, List.of("0", "1"), "", ""));
        LocalCluster sharing = new LocalCluster(settings(2, 3, Optional.empty(), gpus), 0);
        sharing.want(2, 0);
        assertEquals(List.of("start 0 with share 0", "start 1 with share 1"), effects(sharing, true));
        sharing.started(FIRST);
        sharing.release(Set.of(FIRST), "silent", 0);
        assertEquals(List.of("stop 0"), effects(sharing, true), "its process may still use its share");
        sharing.ended(FIRST, exit(143, ""), List.of(), 0);
        assertEquals(
                List.of("lost 0 RELEASED silent, exit status 143", "start 2 with share 0"), effects(sharing, true));
    }

    /** Executors of all profiles together are as many as the master URL says; those of lower ids come first. */
    @Test
    void startsExecutorsOfSeveralProfiles() {
        LocalCluster three = new LocalCluster(settings(3, 4, Optional.empty()), 0);
        ProfileId large = new ProfileId(1);
        three.want(Map.of(large, 5, ProfileId.DEFAULT, 1), 0);
        assertEquals(List.of("0 of 0", "1 of 1", "2 of 1"), started(three));
        three.want(Map.of(ProfileId.DEFAULT, 0, large, 5), 0);
        assertEquals(List.of(), started(three), "there is no room");
        three.release(Set.of(FIRST), "idle", 0);
        assertEquals(List.of("3 of 1"), started(three));
        three.want(Map.of(ProfileId.DEFAULT, 1), 0);
        three.release(Set.of(SECOND), "idle", 0);
        assertEquals(List.of("4 of 0"), started(three), "the profile is wanted no more");
    }

    private static List<String> started(LocalCluster cluster) {
        return cluster.effects().stream()
                .filter(LocalClusterEffect.Start.class::isInstance)
                .map(LocalClusterEffect.Start.class::cast)
                .map(start -> start.executor() + " of " + start.profile().value())
                .toList();
    }

    @Test
    void doesNotReplaceAReleasedExecutorThatIsNoLongerWanted() {
        bothRun();
        cluster.want(1, 0);
        cluster.release(Set.of(SECOND), "idle", 0);
        assertEquals(List.of("stop 1"), effects(cluster));
    }

    @Test
    void stopsAnExecutorReleasedBeforeItsProcessStarted() {
        cluster.want(1, 0);
        cluster.want(0, 0);
        cluster.release(Set.of(FIRST), "idle", 0);
        assertEquals(List.of("start 0"), effects(cluster));
        cluster.started(FIRST);
        assertEquals(List.of("stop 0"), effects(cluster));
    }

    @Test
    void backsOffWhenExecutorsEndEarly() {
        LocalCluster many = new LocalCluster(settings(1, 100, Optional.empty()), 0);
        many.want(1, 0);
        List<String> waits = new ArrayList<>();
        long now = 0;
        for (int i = 0; i < 9; i++) {
            ExecutorId executor = new ExecutorId(String.valueOf(i));
            many.started(executor);
            effects(many);
            many.ended(executor, exit(1, ""), List.of(), now);
            List<String> after = effects(many);
            waits.add(after.get(1));
            if (after.get(1).startsWith("wake")) {
                many.want(1, now); // repeating the request changes nothing
                assertEquals(List.of(), effects(many));
                now += Duration.ofSeconds(8).toNanos();
                many.wake(now);
                assertEquals(List.of("start " + (i + 1)), effects(many));
            }
        }
        assertEquals(
                List.of(
                        "start 1",
                        "wake PT0.25S",
                        "wake PT0.5S",
                        "wake PT1S",
                        "wake PT2S",
                        "wake PT4S",
                        "wake PT8S",
                        "wake PT8S",
                        "wake PT8S"),
                waits);
    }

    @Test
    void givesUpAfterTooManyFailuresAndStopsTheRest() {
        LocalCluster two = new LocalCluster(settings(2, 2, Optional.empty()), 0);
        two.want(2, 0);
        two.started(FIRST);
        two.started(SECOND);
        two.ended(FIRST, ChildExit.notStarted(new IllegalStateException("no memory")), List.of(), 0);
        two.started(new ExecutorId("2"));
        effects(two);
        two.ended(SECOND, exit(3, ""), List.of(), 0);
        List<String> after = effects(two);
        assertEquals("lost 1 FAILED exit status 3", after.get(0));
        assertEquals(
                "give up: 2 executors failed (expected: at most 1, as hearth.executor.maxNumFailures = 2); the last"
                        + " executor: exit status 3",
                after.get(1));
        assertEquals("stop 2", after.get(2));
        two.ended(new ExecutorId("2"), exit(143, ""), List.of(), 0);
        two.want(2, 0);
        assertEquals(List.of(), effects(two));
        assertEquals(LocalCluster.State.ENDED, two.state());
    }

    @Test
    void forgetsOldFailures() {
        LocalCluster one = new LocalCluster(settings(1, 2, Optional.of(Duration.ofMinutes(5))), 0);
        one.want(1, 0);
        for (int i = 0; i < 20; i++) {
            one.started(new ExecutorId(String.valueOf(i)));
            one.ended(new ExecutorId(String.valueOf(i)), exit(137, ""), List.of(), (i + 1L) * 6 * MINUTE_NANOS);
            effects(one);
        }
        assertEquals(LocalCluster.State.OPEN, one.state());
        one.started(new ExecutorId("20"));
        one.ended(new ExecutorId("20"), exit(137, ""), List.of(), 20L * 6 * MINUTE_NANOS + SECOND_NANOS);
        assertTrue(effects(one).get(1).contains("2 executors failed within 300 s"));
    }

    @Test
    void endsWhenEverythingHasEnded() {
        cluster.want(2, 0);
        cluster.started(FIRST);
        effects(cluster);
        cluster.close();
        cluster.close();
        assertEquals(List.of("stop 0"), effects(cluster));
        cluster.started(SECOND); // its start was in progress
        assertEquals(List.of("stop 1"), effects(cluster));
        cluster.ended(FIRST, exit(0, ""), List.of(), 0);
        assertEquals(LocalCluster.State.ENDING, cluster.state());
        cluster.ended(SECOND, exit(143, ""), List.of(), 0);
        assertEquals(List.of(), effects(cluster));
        assertEquals(LocalCluster.State.ENDED, cluster.state());
        cluster.close();
    }

    @Test
    void endsImmediatelyWithoutProcesses() {
        cluster.close();
        assertEquals(LocalCluster.State.ENDED, cluster.state());
    }

    @Test
    void rejectsEventsOfUnknownExecutors() {
        assertThrows(IllegalStateException.class, () -> cluster.started(FIRST));
        assertThrows(IllegalStateException.class, () -> cluster.ended(FIRST, exit(0, ""), List.of(), 0));
    }

    private void bothRun() {
        cluster.want(2, 0);
        cluster.started(FIRST);
        cluster.started(SECOND);
        effects(cluster);
    }

    static LocalClusterSettings settings(int executorsMax, int failuresMax, Optional<Duration> within) {
        return settings(executorsMax, failuresMax, within, Map.of());
    }

    static LocalClusterSettings settings(
            int executorsMax, int failuresMax, Optional<Duration> within, Map<String, ResourceRequest> resources) {
        return new LocalClusterSettings(
                executorsMax, 1, 256, resources, Path.of("/w"), OutputFiles.DEFAULTS, failuresMax, within, Set.of());
    }

    static ChildExit exit(int status, String errors) {
        return new ChildExit(OptionalInt.of(status), "exit status " + status, "", errors);
    }

    private static List<String> effects(LocalCluster cluster) {
        return effects(cluster, false);
    }

    private static List<String> effects(LocalCluster cluster, boolean withShares) {
        List<String> words = new ArrayList<>();
        cluster.effects()
                .forEach(effect -> effect.perform(new LocalClusterEffect.Handler() {
                    @Override
                    public void onStart(LocalClusterEffect.Start start) {
                        words.add("start " + start.executor() + (withShares ? " with share " + start.share() : ""));
                    }

                    @Override
                    public void onStop(LocalClusterEffect.Stop stop) {
                        words.add("stop " + stop.executor());
                    }

                    @Override
                    public void onLost(LocalClusterEffect.Lost lost) {
                        words.add("lost " + lost.executor() + " " + lost.why().cause() + " " + lost.why());
                    }

                    @Override
                    public void onGiveUp(LocalClusterEffect.GiveUp giveUp) {
                        words.add("give up: " + giveUp.reason());
                    }

                    @Override
                    public void onWake(LocalClusterEffect.Wake wake) {
                        words.add("wake " + wake.after());
                    }
                }));
        return words;
    }
}
