package dev.hearth.rpc.internal.thread;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

/** A thread of the message system does not keep the classes of the application whose task makes it. */
class DaemonThreadsTest {
    @Test
    void haveTheClassLoaderOfTheMessageSystem() throws Exception {
        Thread current = Thread.currentThread();
        ClassLoader before = current.getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0], before)) {
            current.setContextClassLoader(application);
            Thread made = new DaemonThreads("made").newThread(() -> {});
            assertSame(DaemonThreads.class.getClassLoader(), made.getContextClassLoader());
            assertTrue(made.isDaemon());
        } finally {
            current.setContextClassLoader(before);
        }
    }
}
