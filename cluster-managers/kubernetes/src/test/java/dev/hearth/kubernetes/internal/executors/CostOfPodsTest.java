package dev.hearth.kubernetes.internal.executors;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.kubernetes.internal.executors.AllocatorEffect.CreatePod;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Cost of executors for their driver: reports the time of the processor per pod event and the bytes per live pod. */
class CostOfPodsTest {
    private static final int EXECUTORS = 10_000;
    private static final int ROUNDS = 5;
    /** An answer, a node, a running container, and a registration. */
    private static final int EVENTS_PER_EXECUTOR = 4;

    @Test
    void followsTenThousandPods() {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long begin = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            assertEquals(EXECUTORS, running().slots().live());
            long end = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            best = Math.min(best, (end - begin) / (EXECUTORS * EVENTS_PER_EXECUTOR));
        }
        long before = usedBytes();
        PodAllocator held = running();
        long bytes = (usedBytes() - before) / EXECUTORS;
        assertEquals(EXECUTORS, held.slots().size());
        System.out.println("pods: " + best + " ns of processor per event, " + bytes + " bytes per live pod");
    }

    /** An allocator whose executors all run; the facts about pods are shared, as those of a mirror are not counted. */
    private static PodAllocator running() {
        PodAllocator allocator =
                new PodAllocator(AllocatorSettings.DEFAULTS, number -> "pod-" + number, number -> "claim-" + number);
        allocator.stale("", 0);
        long requested = requests(allocator.want(EXECUTORS, 0));
        for (long executor = 1; executor <= requested; executor++) {
            requested += requests(allocator.created(executor, AllocatorScene.DONE, false, 0));
            requested += requests(allocator.seen(executor, AllocatorScene.SCHEDULED, 0));
            requested += requests(allocator.seen(executor, AllocatorScene.RUNNING, 0));
            requested += requests(allocator.registered(executor, 0));
        }
        return allocator;
    }

    private static long requests(List<AllocatorEffect> effects) {
        return effects.stream().filter(CreatePod.class::isInstance).count();
    }

    private static long usedBytes() {
        Runtime runtime = Runtime.getRuntime();
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
