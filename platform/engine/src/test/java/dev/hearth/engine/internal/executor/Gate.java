package dev.hearth.engine.internal.executor;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/** Latches by name, which functions of tests reach without holding them. */
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

    private static CountDownLatch latch(String name) {
        return LATCHES.computeIfAbsent(name, missing -> new CountDownLatch(1));
    }
}
