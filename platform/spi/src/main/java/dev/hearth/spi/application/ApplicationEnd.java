package dev.hearth.spi.application;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Callback at the end of applications. A bundle that lends classes to applications registers one as a service, and
 * removes the application's classes from its caches in the call. Otherwise these caches would retain the application's
 * class loader.
 * <p>The kernel calls both methods in drivers and in executors. Each call has its own thread. A call that fails or does not
 * return within two seconds is logged with the name of the bundle, and the end continues without it.
 */
@ConsumerType
@FunctionalInterface
public interface ApplicationEnd {
    /**
     * Ends what the bundle runs for an application, such as threads and connections that have its class loader as
     * context. Afterwards the kernel interrupts all other threads of the application, and logs their names.
     */
    default void ending(ClassLoader application) {
        // nothing runs for applications
    }

    /**
     * Releases all references to the classes of an application. Its main thread, its tasks and its other threads have
     * ended. {@code application} still loads classes and resources; it is closed after the call.
     */
    void ended(ClassLoader application);
}
