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
 * What the code of one application has left in this process: threads, management beans, database drivers. Used once, when
 * the application ends, so that nothing keeps its class loader. Shutdown hooks are out of reach: they stay until the end.
 */
final class LeftOvers {
    private static final Logger LOG = LoggerFactory.getLogger(LeftOvers.class);
    /** For threads that are ending by themselves; they are not worth a word. */
    private static final Duration ENDING = Duration.ofMillis(200);
    /** For threads to notice their interrupt. */
    private static final Duration INTERRUPTED = Duration.ofMillis(500);

    private static final String PROCESS_REAPER = "process reaper"; // later JDKs add the process's id

    private final ApplicationClasses classes;

    LeftOvers(ApplicationClasses classes) {
        this.classes = classes;
    }

    /** Takes all of it back, within a second; what cannot be taken is reported by name. */
    void takeBack() {
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
            return; // the application ends the whole process, and waits for this very end
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

    /** Those of {@code threads} that do not end within {@code wait}, all together. */
    private static List<Thread> alive(List<Thread> threads, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        try {
            for (Thread thread : threads) {
                long millis = Duration.ofNanos(deadline - System.nanoTime()).toMillis();
                if (millis > 0) { // zero would wait for ever
                    thread.join(millis);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // then there is no time to wait
        }
        return threads.stream().filter(Thread::isAlive).toList();
    }

    /** The threads that the application's code started: by their context, by their class, or by where they began. */
    private List<Thread> threads() {
        ThreadGroup root = Objects.requireNonNull(Thread.currentThread().getThreadGroup());
        for (ThreadGroup above = root.getParent(); above != null; above = above.getParent()) {
            root = above;
        }
        Thread[] all = new Thread[root.activeCount() + 32]; // it is an estimate
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
     * Whether it is one of the JDK's threads that wait for the end of child processes. It has the context of the code that started
     * the process first, ends by itself a minute after the last one, and is interrupted for nothing.
     */
    private static boolean isReaper(Thread thread) {
        ThreadGroup group = thread.getThreadGroup(); // none once it has ended
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

    /** Whether the first method that the thread called is the application's: that of its task. */
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
                    LOG.debug("management bean {}: removed by somebody else", name, gone);
                } catch (JMException failure) {
                    LOG.warn("application {}: management bean {} not removed", classes.application(), name, failure);
                }
            }
        }
        if (!removed.isEmpty()) {
            LOG.info("application {}: left the management beans {}; removed", classes.application(), removed);
        }
    }

    /** The JDK lets only classes of the loader of a driver remove it. */
    private void removeDrivers() {
        String file = "DriverRemoval.class";
        try (InputStream in = Objects.requireNonNull(LeftOvers.class.getResourceAsStream(file), file)) {
            Class<?> removal = classes.adopt(DriverRemoval.class, in.readAllBytes());
            Object removed = ((Supplier<?>) removal.getConstructor().newInstance()).get();
            if (!removed.equals(List.of())) {
                LOG.info("application {}: left the database drivers {}; removed", classes.application(), removed);
            }
        } catch (IOException | ReflectiveOperationException | LinkageError failure) {
            LOG.warn("application {}: its database drivers are not removed", classes.application(), failure);
        }
    }
}
