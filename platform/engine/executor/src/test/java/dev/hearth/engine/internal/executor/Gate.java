package dev.hearth.engine.internal.executor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Latches by name, and an endless recursion, which functions of tests use without capturing them. */
public final class Gate {
    private static final Map<String, CountDownLatch> LATCHES = new ConcurrentHashMap<>();

    private Gate() {}

    public static void open(String name) {
        latch(name).countDown();
    }

    public static void await(String name) throws InterruptedException {
        latch(name).await();
    }

    /** Waits, ignoring interrupts. */
    public static void awaitStubbornly(String name) {
        while (latch(name).getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /** Recurses until the stack overflows. */
    @SuppressWarnings("InfiniteRecursion") // on purpose
    public static int endless(int depth) {
        return depth + endless(depth + 1);
    }

    private static CountDownLatch latch(String name) {
        return LATCHES.computeIfAbsent(name, missing -> new CountDownLatch(1));
    }
}
