package dev.hearth.yarn.internal.hadoop;

import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;

/**
 * Daemon threads whose context class loader is that of Hadoop's classes, by which Hadoop finds its services, and calls
 * under that class loader. Thread-safe.
 */
public final class HadoopThreads implements ThreadFactory {
    private static final ClassLoader LOADER = Configuration.class.getClassLoader();

    private final String name;
    private final AtomicInteger made = new AtomicInteger();

    /** Threads with names that begin with {@code name}. */
    public HadoopThreads(String name) {
        this.name = name;
    }

    @Override
    public Thread newThread(Runnable action) {
        Thread thread = new Thread(null, action, name + "-" + made.incrementAndGet(), 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(LOADER);
        return thread;
    }

    /** Calls {@code action} on the calling thread under Hadoop's class loader. */
    public static <T> T call(Callable<T> action) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(LOADER);
        try {
            return action.call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
