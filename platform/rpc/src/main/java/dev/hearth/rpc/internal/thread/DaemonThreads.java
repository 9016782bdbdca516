package dev.hearth.rpc.internal.thread;

import io.netty.util.concurrent.DefaultThreadFactory;

/**
 * Creates the daemon threads of the RPC module, with the class loader of the module as context class loader. By
 * default, a thread inherits the loader of the thread that creates it. If that thread runs a task, the application's
 * classes could then not be unloaded.
 */
public final class DaemonThreads extends DefaultThreadFactory {
    public DaemonThreads(String name) {
        super(name, true);
    }

    @Override
    protected Thread newThread(Runnable body, String name) {
        return ofThisBundle(super.newThread(body, name));
    }

    /** Sets the context class loader of {@code thread} to the class loader of the RPC module. */
    public static Thread ofThisBundle(Thread thread) {
        thread.setContextClassLoader(DaemonThreads.class.getClassLoader());
        return thread;
    }
}
