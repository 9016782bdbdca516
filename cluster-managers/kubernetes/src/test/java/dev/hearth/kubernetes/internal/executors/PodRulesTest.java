package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.LabelPod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Lost;
import dev.hearth.kubernetes.internal.mirror.MirrorSettings;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.LostExecutor.Cause;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules that few applications change: a ceiling of requests, pods that stay, labels, containers of others. */
class PodRulesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static AllocatorScene scene(
            Optional<PodRules.Ceiling> ceiling, boolean all, int kept, Map<String, String> labels) {
        return new AllocatorScene(
                AllocatorScene.ruled(new PodRules(ceiling, all, kept, labels, MirrorSettings.DEFAULTS)));
    }

    /** A pod with a container beside the executor's, which has ended. */
    private static PodFacts withSidecar(int status) {
        return new PodFacts(
                "Running",
                "",
                "",
                "node-1",
                "",
                false,
                0,
                "",
                "",
                List.of(
                        ContainerFacts.running(Verdict.EXECUTOR_CONTAINER),
                        ContainerFacts.ended("logs", status, "Error", "")),
                false);
    }

    @Test
    void requestsNoMoreThanTheCeilingWithinAPeriod() {
        AllocatorScene scene = scene(Optional.of(new PodRules.Ceiling(3, Duration.ofSeconds(10))), false, 0, Map.of());
        assertEquals(List.of(1L, 2L, 3L), scene.want(8).requested());
        for (long executor = 1; executor <= 3; executor++) {
            assertEquals(List.of(), scene.created(executor).requested());
        }
        assertEquals(List.of(), scene.pass(Duration.ofMillis(9_999)).requested());
        assertEquals(List.of(4L, 5L, 6L), scene.pass(Duration.ofMillis(1)).requested());
        scene.pass(SECOND);
        assertEquals(List.of(), scene.requested());
        assertEquals(List.of(7L, 8L), scene.pass(Duration.ofSeconds(9)).requested());
    }

    @Test
    void wakesWhenTheCeilingAdmitsMore() {
        AllocatorScene scene = scene(Optional.of(new PodRules.Ceiling(1, SECOND)), false, 0, Map.of());
        scene.want(2);
        assertEquals(
                List.of(SECOND),
                scene.of(AllocatorEffect.Wake.class)
                        .map(AllocatorEffect.Wake::after)
                        .toList());
    }

    @Test
    void keepsThePodsThatFailedLast() {
        AllocatorScene scene = scene(Optional.empty(), false, 2, Map.of());
        scene.want(1);
        for (long executor = 1; executor <= 3; executor++) {
            scene.run(executor, executor).seen(executor, AllocatorScene.ended(1));
            assertEquals(
                    List.of(Map.of("spark-exec-inactive", "true")),
                    scene.of(LabelPod.class).map(LabelPod::labels).toList());
        }
        assertEquals(List.of(1L), scene.pass(Duration.ofMillis(60)).deleted());
        scene.seen(2, AllocatorScene.ended(1)).pass(Duration.ofMillis(60));
        assertEquals(List.of(), scene.deleted(), "the change of the label is no reason to delete it");
    }

    @Test
    void deletesThePodsOfExecutorsThatDidNotFail() {
        AllocatorScene scene = scene(Optional.empty(), false, 5, Map.of());
        scene.want(2).run(1, 2);
        scene.release(List.of(1L)).pass(Duration.ofMillis(60));
        assertEquals(List.of(1L), scene.deleted());
        scene.seen(2, AllocatorScene.ended(137).because("Evicted", "The node was low on resource: memory."));
        scene.pass(Duration.ofMillis(120)); // requests that follow one another are further apart
        assertEquals(List.of(2L), scene.deleted(), "its eviction is no failure");
    }

    @Test
    void forgetsAKeptPodThatItsUserDeletes() {
        AllocatorScene scene = scene(Optional.empty(), false, 1, Map.of());
        scene.want(1).run(1, 1).seen(1, AllocatorScene.ended(1));
        scene.vanished(1, AllocatorScene.ended(1)).run(2, 2).seen(2, AllocatorScene.ended(1));
        assertEquals(List.of(), scene.pass(Duration.ofMillis(60)).deleted());
    }

    @Test
    void endsAnExecutorWithAnyOfItsContainersIfTheUserWantsIt() {
        AllocatorScene scene = scene(Optional.empty(), true, 0, Map.of());
        scene.want(1).run(1, 1).seen(1, withSidecar(0));
        assertEquals(0, scene.of(Lost.class).count(), "it did not fail");
        scene.seen(1, withSidecar(3));
        Lost lost = scene.of(Lost.class).findFirst().orElseThrow();
        assertEquals(Cause.FAILED, lost.why().cause());
        assertTrue(lost.why().reason().contains("logs ended with exit status 3"), lost.why()::reason);
    }

    @Test
    void letsAnExecutorGoOnWithoutItsSidecar() {
        AllocatorScene scene = scene(Optional.empty(), false, 0, Map.of());
        scene.want(1).run(1, 1).seen(1, withSidecar(3));
        assertEquals(0, scene.of(Lost.class).count());
    }

    @Test
    void labelsThePodsOfExecutorsThatAreDecommissioned() {
        AllocatorScene scene = scene(Optional.empty(), false, 0, Map.of("soon", "gone"));
        scene.want(1).run(1, 1).decommissioned(1);
        assertEquals(
                List.of(new LabelPod(1, Map.of("soon", "gone"))),
                scene.of(LabelPod.class).toList());
        assertEquals(0, scene.decommissioned(9).of(LabelPod.class).count(), "there is no such executor");

        AllocatorScene plain = new AllocatorScene(AllocatorSettings.DEFAULTS);
        assertEquals(
                0, plain.want(1).run(1, 1).decommissioned(1).of(LabelPod.class).count());
    }

    @Test
    void marksPodsThatStayAsInactive() {
        AllocatorScene scene = new AllocatorScene(AllocatorScene.keeping());
        scene.want(1).run(1, 1).seen(1, AllocatorScene.ended(1));
        assertEquals(
                List.of(new LabelPod(1, Map.of("spark-exec-inactive", "true"))),
                scene.of(LabelPod.class).toList());
        assertEquals(List.of(), scene.pass(Duration.ofMillis(60)).deleted());
    }
}
