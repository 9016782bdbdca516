package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.ReadPod;
import dev.hearth.kubernetes.internal.executors.AllocatorEffect.Started;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pods that were deleted before any list or watch reported them. */
class UnseenPodsTest {
    private final AllocatorScene scene = new AllocatorScene(AllocatorSettings.DEFAULTS);

    private List<Long> read() {
        return scene.of(ReadPod.class).map(ReadPod::executor).toList();
    }

    @Test
    void readsAPodThatNoWatchReportsAndReplacesItIfItIsMissing() {
        scene.want(1).created(1).pass(UnseenPods.UNSEEN_MAX.minusMillis(1));
        assertEquals(List.of(), read());
        scene.pass(Duration.ofMillis(1));
        assertEquals(List.of(1L), read());
        scene.read(1, AllocatorScene.UNKNOWN);
        assertEquals(List.of(), scene.requested());
        scene.pass(UnseenPods.UNSEEN_MAX);
        assertEquals(List.of(1L), read(), "without an answer it is read again");
        scene.read(1, new Answer.Missing());
        assertEquals(List.of(2L), scene.requested());
    }

    @Test
    void takesUpAPodThatExists() {
        scene.want(1).created(1).pass(UnseenPods.UNSEEN_MAX);
        ObjectFacts pod = ObjectFacts.of("pod-1", "uid-1", "9").with(AllocatorScene.RUNNING);
        scene.read(1, new Answer.Done(Optional.of(pod)));
        assertEquals(1, scene.of(Started.class).count());
        assertEquals(List.of(), scene.requested());
    }

    @Test
    void readsNoPodThatWasSeen() {
        scene.want(1).created(1).seen(1, AllocatorScene.SCHEDULED).pass(UnseenPods.UNSEEN_MAX);
        assertEquals(List.of(), read());
    }

    @Test
    void readsNothingOnStaleFacts() {
        scene.want(1).created(1).stale("the API server is away");
        scene.pass(UnseenPods.UNSEEN_MAX);
        assertEquals(List.of(), read());
        scene.stale("");
        assertEquals(List.of(1L), read());
    }
}
