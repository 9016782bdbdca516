package dev.hearth.yarn.internal.pages;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.Test;

/** Threads of the publication of applications. */
class YarnProxyTest {
    @Test
    void threadsRetainNothingOfTheApplicationThatAsksForThem() throws Exception {
        Thread caller = Thread.currentThread();
        ClassLoader before = caller.getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0], null)) {
            caller.setContextClassLoader(application);
            Thread thread = YarnProxy.thread(() -> {});
            assertSame(YarnProxy.class.getClassLoader(), thread.getContextClassLoader());
            assertTrue(thread.isDaemon());
        } finally {
            caller.setContextClassLoader(before);
        }
    }
}
