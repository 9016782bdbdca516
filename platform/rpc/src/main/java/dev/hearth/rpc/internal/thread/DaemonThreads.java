package dev.hearth.rpc.internal.thread;

import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Makes the daemon threads of the message system. Their context class loader is that of the message system. Otherwise a
 * thread would inherit the loader of the thread that creates it; if that runs a task, the classes of the task's
 * application would stay in memory.
 */
public final class DaemonThreads extends DefaultThreadFactory {
    public DaemonThreads(String name) {
        super(name, true);
    }

    @Override
    protected Thread newThread(Runnable body, String name) {
        return ofThisBundle(super.newThread(body, name));
    }

    /** Gives {@code thread} the context class loader of the message system. */
    public static Thread ofThisBundle(Thread thread) {
        thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
        return thread;
    }
}
