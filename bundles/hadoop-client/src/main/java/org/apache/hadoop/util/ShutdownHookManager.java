package org.apache.hadoop.util;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Registry of the actions that Hadoop performs at its end, in place of Hadoop's class of the same name. That class
 * registers a hook with the JVM, which would keep Hadoop's class loader in memory. Here the bundle calls
 * {@link #takeHooks} when it stops, which a kernel that ends does too. Thread-safe; lives as long as its class loader.
 */
public final class ShutdownHookManager {
    public static final long TIMEOUT_MINIMUM = 1;
    public static final TimeUnit TIME_UNIT_DEFAULT = TimeUnit.SECONDS;

    private static final ShutdownHookManager ONLY = new ShutdownHookManager();

    private final Map<Runnable, Integer> priorities = new ConcurrentHashMap<>();
    private volatile boolean running;

    private ShutdownHookManager() {}

    /** The registry of this class loader. Hadoop's name for it. */
    public static ShutdownHookManager get() {
        return ONLY;
    }

    public void addShutdownHook(Runnable hook, int priority) {
        if (running) {
            throw new IllegalStateException("Shutdown in progress, cannot add a shutdownHook");
        }
        priorities.put(hook, priority);
    }

    /** Registers {@code hook}. The bundle bounds the time of all hooks together, so that {@code timeout} has no effect. */
    public void addShutdownHook(Runnable hook, int priority, long timeout, TimeUnit unit) {
        addShutdownHook(hook, priority);
    }

    /** Removes a hook; during the end, hooks that remove themselves are no error, unlike in Hadoop's class. */
    public boolean removeShutdownHook(Runnable hook) {
        return priorities.remove(hook) != null;
    }

    public boolean hasShutdownHook(Runnable hook) {
        return priorities.containsKey(hook);
    }

    public boolean isShutdownInProgress() {
        return running;
    }

    public void clearShutdownHooks() {
        priorities.clear();
    }

    /** Takes all hooks out and returns them, highest priority first. From now on no hook can be added. */
    public List<Runnable> takeHooks() {
        running = true;
        List<Map.Entry<Runnable, Integer>> hooks = new ArrayList<>(priorities.entrySet());
        hooks.sort(Map.Entry.<Runnable, Integer>comparingByValue(Comparator.reverseOrder()));
        priorities.clear();
        return hooks.stream().map(Map.Entry::getKey).toList();
    }
}
