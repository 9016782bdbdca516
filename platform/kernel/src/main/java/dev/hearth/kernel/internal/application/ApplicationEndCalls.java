package dev.hearth.kernel.internal.application;

import dev.hearth.spi.application.ApplicationEnd;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls the services {@link ApplicationEnd} at the end of an application, each on a thread of its own, and waits for
 * all of them together within one bound. Immutable.
 */
public final class ApplicationEndCalls {
    /** Time in which all services of a process must return. Executors have five seconds for their whole end. */
    public static final Duration BOUND = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ApplicationEndCalls.class);

    private final Supplier<List<Listener>> listeners;
    private final Duration bound;

    public ApplicationEndCalls(Supplier<List<Listener>> listeners, Duration bound) {
        this.listeners = listeners;
        this.bound = bound;
    }

    /** Service of the bundle {@code bundle}. {@code release} returns the service to the framework after the call. */
    public record Listener(String bundle, ApplicationEnd service, Runnable release) {}

    /** Lets all services end what they run for the application, as {@link #ended} does. */
    void ending(String application, ClassLoader classes) {
        callAll(application, service -> service.ending(classes));
    }

    /** Calls all services. Logs the bundles whose services fail, or have not returned within the bound. */
    void ended(String application, ClassLoader classes) {
        callAll(application, service -> service.ended(classes));
    }

    private void callAll(String application, Consumer<ApplicationEnd> action) {
        List<Call> calls = new ArrayList<>();
        for (Listener listener : listeners.get()) {
            Call call = new Call(application, listener, action);
            calls.add(call);
            // inherits no thread locals, and its context class loader is that of the bundle
            Thread thread = new Thread(null, call, "hearth-application-end", 0, false);
            thread.setContextClassLoader(listener.service().getClass().getClassLoader());
            thread.setDaemon(true);
            thread.start();
        }
        long deadline = System.nanoTime() + bound.toNanos();
        try {
            for (Call call : calls) {
                if (!call.returned.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                    LOG.warn(
                            "application {}: bundle {} still handles its end after {} ms (expected: within that time);"
                                    + " its classes may stay in memory",
                            application,
                            call.listener.bundle(),
                            bound.toMillis());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // stop waiting
        }
    }

    /** Call of one service, which runs on its own thread. */
    private static final class Call implements Runnable {
        private final String application;
        private final Listener listener;
        private final Consumer<ApplicationEnd> action;
        private final CountDownLatch returned = new CountDownLatch(1);

        Call(String application, Listener listener, Consumer<ApplicationEnd> action) {
            this.application = application;
            this.listener = listener;
            this.action = action;
        }

        @Override
        public void run() {
            try {
                action.accept(listener.service());
            } catch (Throwable failure) { // foreign code may throw anything
                LOG.warn(
                        "application {}: bundle {} failed to handle its end (expected: no failure); its classes may"
                                + " stay in memory",
                        application,
                        listener.bundle(),
                        failure);
            } finally {
                listener.release().run();
                returned.countDown();
            }
        }
    }
}
