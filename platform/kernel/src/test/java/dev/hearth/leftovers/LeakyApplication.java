package dev.hearth.leftovers;

import java.lang.management.ManagementFactory;
import java.net.http.HttpClient;
import java.sql.DriverManager;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;
import javax.xml.parsers.DocumentBuilderFactory;

/**
 * Application that leaks threads, thread locals, a timer, a management bean, a JDBC driver and an exception handler.
 */
public final class LeakyApplication {
    private static final ThreadLocal<LeakyApplication> LOCAL = new ThreadLocal<>();
    private static final ThreadLocal<LeakyApplication> INHERITED = new InheritableThreadLocal<>();

    private LeakyApplication() {}

    /** With the argument {@code deaf}, some threads ignore interrupts. */
    public static void main(String[] arguments) throws Exception {
        LOCAL.set(new LeakyApplication());
        INHERITED.set(new LeakyApplication());
        Thread sleeper = new Thread(LeakyApplication::waitForEver, "left-sleeper");
        sleeper.setDaemon(true);
        sleeper.start();
        Thread stranger = new Thread(LeakyApplication::waitForEver, "left-stranger");
        stranger.setDaemon(true);
        stranger.setContextClassLoader(null);
        stranger.start();
        if (arguments.length > 0 && arguments[0].equals("deaf")) {
            leaveThoseThatDoNotHear();
        }
        ManagementFactory.getPlatformMBeanServer().registerMBean(new Left(), new ObjectName("untidy:type=Left"));
        DriverManager.registerDriver(new LeftDriver());
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> LOCAL.remove());
        new CompletableFuture<LeakyApplication>()
                .completeOnTimeout(new LeakyApplication(), 1, TimeUnit.MILLISECONDS)
                .join();
        DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
        HttpClient.newHttpClient();
        new ProcessBuilder("true").start().waitFor(); // after it a thread of the JDK, which is no fault of ours
    }

    /** Starts a pool and a timer, which end when they are shut down, not when their threads are interrupted. */
    private static void leaveThoseThatDoNotHear() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(1, body -> new Thread(body, "left-pool"));
        pool.submit(() -> LOCAL.set(new LeakyApplication())).get();
        new Timer("left-timer").schedule(new Tick(), 0, 60_000);
        Thread deaf = new Thread(LeakyApplication::waitDeaf, "left-deaf");
        deaf.setDaemon(true);
        deaf.start();
    }

    private static void waitForEver() {
        try {
            LOCAL.set(new LeakyApplication());
            new CountDownLatch(1).await();
        } catch (InterruptedException told) {
            Thread.currentThread().interrupt(); // and the thread ends
        }
    }

    private static void waitDeaf() {
        while (true) {
            LockSupport.park();
            Thread.interrupted();
        }
    }

    private static final class Tick extends TimerTask {
        @Override
        public void run() {
            LOCAL.set(new LeakyApplication());
        }
    }

    /** Interface of the management bean. */
    public interface LeftMBean {
        int getCount();
    }

    /** The management bean. */
    public static final class Left implements LeftMBean {
        @Override
        public int getCount() {
            return 1;
        }
    }
}
