package dev.hearth.kernel.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.hearth.kernel.internal.application.ApplicationEndCalls.Listener;
import dev.hearth.spi.application.ApplicationEnd;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Calls of {@code ApplicationEnd}: after the application's threads, before its loader is closed, bounded, isolated. */
class ApplicationEndCallsTest {
    @TempDir
    Path directory;

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(ApplicationEndCalls.class);
    private final ConcurrentLinkedQueue<String> released = new ConcurrentLinkedQueue<>();

    @BeforeEach
    void watchTheLog() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void leaveTheLog() {
        logger.detachAppender(log);
    }

    @Test
    void callsOnceWithALoaderThatStillLoads() throws Exception {
        AtomicReference<ClassLoader> seen = new AtomicReference<>();
        AtomicReference<Thread> thread = new AtomicReference<>();
        List<Object> resources = new ArrayList<>();
        ApplicationLoader loader = open(ApplicationEndCalls.BOUND, loaded -> {
            seen.set(loaded);
            thread.set(Thread.currentThread());
            resources.add(String.valueOf(loaded.getResource("marker.txt")));
        });
        ClassLoader classes = loader.classes();
        loader.close();
        loader.close();
        assertSame(classes, seen.get());
        assertEquals(1, resources.size());
        assertTrue(resources.get(0).toString().endsWith("app.jar!/marker.txt"), resources::toString);
        assertNotSame(Thread.currentThread(), thread.get());
        assertEquals(List.of("bundle-0", "bundle-0"), List.copyOf(released), "once for each call");
        assertEquals(List.of(), words());
    }

    @Test
    void letsServicesEndWhatTheyRunBeforeTheThreadsOfTheApplicationAreInterrupted() throws Exception {
        CountDownLatch ended = new CountDownLatch(1);
        AtomicReference<String> end = new AtomicReference<>("none");
        AtomicReference<Thread> own = new AtomicReference<>();
        List<String> calls = new ArrayList<>();
        ApplicationEnd service = new ApplicationEnd() {
            @Override
            public void ending(ClassLoader application) {
                calls.add("ending");
                ended.countDown();
                join(own.get());
            }

            @Override
            public void ended(ClassLoader application) {
                calls.add("ended after " + end.get());
            }
        };
        ApplicationLoader loader = open(Duration.ofMinutes(1), service);
        Thread thread = new Thread(() -> {
            try {
                ended.await();
                end.set("its end");
            } catch (InterruptedException e) {
                end.set("an interrupt");
            }
        });
        thread.setContextClassLoader(loader.classes());
        own.set(thread);
        thread.start();
        loader.close();
        assertEquals(List.of("ending", "ended after its end"), calls);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void callsTheOthersAlthoughOneFails() throws Exception {
        List<String> called = new ArrayList<>();
        open(
                        ApplicationEndCalls.BOUND,
                        loaded -> {
                            throw new LinkageError("gone");
                        },
                        loaded -> called.add("other"))
                .close();
        assertEquals(List.of("other"), called);
        assertEquals(4, released.size());
        assertEquals(
                List.of("application one: bundle bundle-0 failed to handle its end (expected: no failure); its classes"
                        + " may stay in memory"),
                words());
    }

    @Test
    void namesOneThatHangsAndDoesNotWaitForIt() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        AtomicReference<Thread> hanging = new AtomicReference<>();
        List<String> called = new ArrayList<>();
        ApplicationLoader loader = open(
                Duration.ofMillis(20),
                loaded -> {
                    hanging.set(Thread.currentThread());
                    await(never);
                },
                loaded -> called.add("other"));
        loader.close();
        assertFalse(never.getCount() == 0);
        assertEquals(
                "application one: bundle bundle-0 still handles its end after 20 ms (expected: within that time); its"
                        + " classes may stay in memory",
                words().get(0));
        never.countDown();
        hanging.get().join();
        assertTrue(released.contains("bundle-0"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> words() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private ApplicationLoader open(Duration bound, ApplicationEnd... services) throws Exception {
        Path jar = directory.resolve("app.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            out.putNextEntry(new ZipEntry("marker.txt"));
        }
        List<ApplicationEnd> all = Arrays.asList(services);
        ApplicationEndCalls calls = new ApplicationEndCalls(
                () -> IntStream.range(0, all.size())
                        .mapToObj(i -> new Listener("bundle-" + i, all.get(i), () -> released.add("bundle-" + i)))
                        .toList(),
                bound);
        return new IsolatedApplications(wanted -> List.of(), new NoBundleTransfer(), calls, settings -> {})
                .open("one", List.of(), List.of(jar), Settings.empty());
    }
}
