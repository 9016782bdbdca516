package dev.hearth.hadoopclient.internal;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Threads that keep a class loader in memory: those of its classes, or with it as context. Stateless. */
final class BundleThreads {
    private static final String PROCESS_REAPER = "process reaper"; // later JDKs append the process id to this name
    private static final int SPARE = 32;
    /** Time that threads have before they are interrupted. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    private final ClassLoader owner;

    BundleThreads(ClassLoader owner) {
        this.owner = owner;
    }

    /**
     * Waits for the threads to end, then interrupts those that have not. Returns the names of those that still run after
     * {@code bound} in all.
     */
    SortedSet<String> end(Duration bound) {
        releaseReapers();
        // connections and leases are closed by now; what still runs is idle, and would wait for up to a minute
        List<Thread> running = alive(own(), PATIENCE.toNanos());
        running.forEach(Thread::interrupt);
        SortedSet<String> names = new TreeSet<>();
        alive(running, bound.minus(PATIENCE).toNanos()).forEach(thread -> names.add(thread.getName()));
        return names;
    }

    /** Interrupts the threads with this name, which end at that and not otherwise. */
    void interrupt(String name) {
        own().stream().filter(thread -> thread.getName().contains(name)).forEach(Thread::interrupt);
    }

    /** Gives the threads with this name another context. */
    void move(String name, ClassLoader context) {
        own().stream()
                .filter(thread -> thread.getName().contains(name))
                .forEach(thread -> thread.setContextClassLoader(context));
    }

    /** Interrupts the threads whose class is of {@code loader}. */
    void interruptOf(ClassLoader loader) {
        own().stream()
                .filter(thread -> thread.getClass().getClassLoader() == loader)
                .forEach(Thread::interrupt);
    }

    /**
     * The JDK's threads that wait for child processes have the context of the code that started the first of them. They
     * end by themselves a minute after the last process.
     */
    private void releaseReapers() {
        for (Thread thread : all()) {
            if (thread.getName().startsWith(PROCESS_REAPER) && belongs(thread.getContextClassLoader())) {
                thread.setContextClassLoader(ClassLoader.getSystemClassLoader());
            }
        }
    }

    private List<Thread> own() {
        return all().stream()
                .filter(thread -> thread != Thread.currentThread())
                .filter(thread -> belongs(thread.getContextClassLoader())
                        || belongs(thread.getClass().getClassLoader()))
                .toList();
    }

    private boolean belongs(@Nullable ClassLoader loader) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each == owner) {
                return true;
            }
        }
        return false;
    }

    private static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        for (ThreadGroup above = root.getParent(); above != null; above = above.getParent()) {
            root = above;
        }
        Thread[] found = new Thread[root.activeCount() + SPARE]; // the count is an estimate
        int count = root.enumerate(found);
        while (count == found.length) {
            found = new Thread[2 * found.length];
            count = root.enumerate(found);
        }
        return Arrays.asList(found).subList(0, count);
    }

    private static List<Thread> alive(List<Thread> threads, long nanos) {
        long deadline = System.nanoTime() + nanos;
        try {
            for (Thread thread : threads) {
                long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (millis > 0) { // join(0) would wait without limit
                    thread.join(millis);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop waiting
        }
        return threads.stream().filter(Thread::isAlive).toList();
    }
}
