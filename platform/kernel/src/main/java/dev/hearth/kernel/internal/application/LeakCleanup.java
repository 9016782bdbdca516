package dev.hearth.kernel.internal.application;

import dev.hearth.spi.role.ExitingThread;
import java.io.IOException;
import java.io.InputStream;
import java.lang.Thread.UncaughtExceptionHandler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Supplier;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes objects that an application's code has left in this process: threads, management beans, JDBC drivers.
 * Otherwise they would retain the application's class loader. Used once, at the end of the application. Shutdown hooks
 * cannot be removed and stay until the process ends.
 */
final class LeakCleanup {
    private static final Logger LOG = LoggerFactory.getLogger(LeakCleanup.class);
    /** Time in which threads may end by themselves. Threads that still run afterwards are logged and interrupted. */
    private static final Duration ENDING = Duration.ofMillis(200);
    /** Time in which interrupted threads may end. Threads that still run afterwards are logged again. */
    private static final Duration INTERRUPTED = Duration.ofMillis(500);

    private static final String PROCESS_REAPER = "process reaper"; // later JDKs append the process id to this name

    private final ApplicationClassLoader classes;

    LeakCleanup(ApplicationClassLoader classes) {
        this.classes = classes;
    }

    /**
     * Removes all objects that the application has left, within a second. Logs the names of objects that cannot be
     * removed.
     */
    void removeAll() {
        UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler != null && belongs(handler.getClass().getClassLoader())) {
            Thread.setDefaultUncaughtExceptionHandler(null);
        }
        endThreads();
        if (classes.refersTo("javax.management.ObjectName")) {
            removeManagementBeans();
        }
        if (classes.refersTo("java.sql.DriverManager")) {
            removeDrivers();
        }
        ResourceBundle.clearCache(classes);
    }

    private void endThreads() {
        List<Thread> own = threads();
        if (own.stream().anyMatch(ExitingThread::is)) {
            return; // a thread of the application calls System.exit, which waits for this clean-up
        }
        List<Thread> running = alive(own, ENDING);
        if (running.isEmpty()) {
            return;
        }
        LOG.warn(
                "application {}: ended while its threads {} still ran (expected: none); they are interrupted",
                classes.application(),
                names(running));
        running.forEach(Thread::interrupt);
        List<Thread> deaf = alive(running, INTERRUPTED);
        if (!deaf.isEmpty()) {
            LOG.warn(
                    "application {}: threads {} still run {} ms after they were interrupted (expected: they end); its"
                            + " classes stay in memory until they do",
                    classes.application(),
                    names(deaf),
                    INTERRUPTED.toMillis());
        }
    }

    private static SortedSet<String> names(List<Thread> threads) {
        SortedSet<String> names = new TreeSet<>();
        threads.forEach(thread -> names.add(thread.getName()));
        return names;
    }

    /**
     * Waits until all {@code threads} have ended, at most {@code wait} in total. Returns those that are still alive.
     */
    private static List<Thread> alive(List<Thread> threads, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
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

    /**
     * Returns the running threads of the application: those whose context class loader, class or outermost stack frame
     * belongs to it. The current thread is omitted.
     */
    private List<Thread> threads() {
        ThreadGroup root = Objects.requireNonNull(Thread.currentThread().getThreadGroup());
        for (ThreadGroup above = root.getParent(); above != null; above = above.getParent()) {
            root = above;
        }
        // reserves extra elements, because activeCount is an estimate
        Thread[] all = new Thread[root.activeCount() + 32];
        int count = root.enumerate(all);
        while (count == all.length) {
            all = new Thread[2 * all.length];
            count = root.enumerate(all);
        }
        List<Thread> own = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Thread thread = all[i];
            if (isReaper(thread)) {
                letGo(thread);
            } else if (thread != Thread.currentThread()
                    && (belongs(thread.getContextClassLoader())
                            || belongs(thread.getClass().getClassLoader())
                            || beganIn(thread))) {
                own.add(thread);
            }
        }
        return own;
    }

    /**
     * Whether {@code thread} is one of the JDK's threads that wait for child processes. Such a thread has the context
     * class loader of the code that started its first process. It ends by itself a minute after its last process; an
     * interrupt does not end it.
     */
    private static boolean isReaper(Thread thread) {
        ThreadGroup group = thread.getThreadGroup(); // null once the thread has ended
        return thread.getName().startsWith(PROCESS_REAPER) && group != null && group.getParent() == null;
    }

    private void letGo(Thread reaper) {
        if (belongs(reaper.getContextClassLoader())) {
            reaper.setContextClassLoader(ClassLoader.getSystemClassLoader());
        }
    }

    private boolean belongs(@Nullable ClassLoader loader) {
        for (ClassLoader each = loader; each != null; each = each.getParent()) {
            if (each == classes) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether {@code thread} runs a task of the application: the outermost method on its stack belongs to the
     * application.
     */
    private boolean beganIn(Thread thread) {
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = stack.length - 1; i >= 0; i--) {
            if (!stack[i].getClassName().equals(Thread.class.getName())) {
                return Objects.equals(classes.getName(), stack[i].getClassLoaderName());
            }
        }
        return false;
    }

    private void removeManagementBeans() {
        List<ObjectName> removed = new ArrayList<>();
        for (MBeanServer server : MBeanServerFactory.findMBeanServer(null)) {
            for (ObjectName name : server.queryNames(null, null)) {
                try {
                    if (belongs(server.getClassLoaderFor(name))) {
                        server.unregisterMBean(name);
                        removed.add(name);
                    }
                } catch (InstanceNotFoundException gone) {
                    LOG.debug("management bean {}: removed by other code", name, gone);
                } catch (JMException failure) {
                    LOG.warn(
                            "application {}: left the management bean {} registered, and it cannot be removed",
                            classes.application(),
                            name,
                            failure);
                }
            }
        }
        if (!removed.isEmpty()) {
            LOG.info("application {}: left the management beans {}; removed", classes.application(), removed);
        }
    }

    /**
     * Deregisters JDBC drivers through a class in the application's loader, because only classes of a driver's own
     * loader may deregister the driver.
     */
    private void removeDrivers() {
        String file = JdbcDriverRemoval.class.getSimpleName() + ".class";
        try (InputStream in = Objects.requireNonNull(LeakCleanup.class.getResourceAsStream(file), file)) {
            Class<?> removal = classes.adopt(JdbcDriverRemoval.class, in.readAllBytes());
            Object removed = ((Supplier<?>) removal.getConstructor().newInstance()).get();
            if (!removed.equals(List.of())) {
                LOG.info("application {}: left the database drivers {}; removed", classes.application(), removed);
            }
        } catch (IOException | ReflectiveOperationException | LinkageError failure) {
            LOG.warn("application {}: its database drivers are not removed", classes.application(), failure);
        }
    }
}
