package dev.hearth.engine.internal.executor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** What functions of tests reach without holding it: latches by name, and an endless depth. */
public final class Gate {
    private static final Map<String, CountDownLatch> LATCHES = new ConcurrentHashMap<>();

    private Gate() {}

    public static void open(String name) {
        latch(name).countDown();
    }

    public static void await(String name) throws InterruptedException {
        latch(name).await();
    }

    /** Waits whatever comes. */
    public static void awaitStubbornly(String name) {
        while (latch(name).getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    /** Never returns but by an overflow of the stack. */
    @SuppressWarnings("InfiniteRecursion") // on purpose
    public static int endless(int depth) {
        return depth + endless(depth + 1);
    }

    private static CountDownLatch latch(String name) {
        return LATCHES.computeIfAbsent(name, missing -> new CountDownLatch(1));
    }
}
