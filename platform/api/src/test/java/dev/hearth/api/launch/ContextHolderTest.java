package dev.hearth.api.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import java.net.URL;
import java.net.URLClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ContextHolderTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @AfterEach
    void restoreContextLoader() {
        Thread.currentThread().setContextClassLoader(before);
    }

    @Test
    void saysWhatToAddWhenNoEngineIsThere() {
        HearthException failure = assertThrows(
                HearthException.class, () -> HearthContext.builder().open());
        assertEquals("NO_ENGINE", failure.code());
        assertTrue(failure.getMessage().contains("hearth-embedded"), failure.getMessage());
    }

    @Test
    void givesEachApplicationItsOwnProvider() throws Exception {
        ContextProvider first = request -> null;
        ContextProvider second = request -> null;
        try (URLClassLoader one = new URLClassLoader(new URL[0], before);
                URLClassLoader two = new URLClassLoader(new URL[0], before);
                URLClassLoader childOfTwo = new URLClassLoader(new URL[0], two);
                ContextHolder.Installation a = ContextHolder.install(one, first);
                ContextHolder.Installation b = ContextHolder.install(two, second)) {
            assertTrue(a != b);
            Thread.currentThread().setContextClassLoader(one);
            assertSame(first, ContextHolder.provider());
            Thread.currentThread().setContextClassLoader(childOfTwo);
            assertSame(second, ContextHolder.provider());
        }
        assertThrows(HearthException.class, ContextHolder::provider);
    }

    @Test
    void findsTheProviderByTheCallersClassWhenTheContextLoaderIsForeign() {
        ContextProvider provider = request -> null;
        try (ContextHolder.Installation installed =
                ContextHolder.install(getClass().getClassLoader(), provider)) {
            assertTrue(installed != null);
            Thread.currentThread().setContextClassLoader(ClassLoader.getPlatformClassLoader());
            assertSame(provider, ContextHolder.provider());
        }
    }

    @Test
    void refusesASecondProviderForOneApplication() {
        ClassLoader application = new URLClassLoader(new URL[0], before);
        try (ContextHolder.Installation installed = ContextHolder.install(application, request -> null)) {
            assertTrue(installed != null);
            assertThrows(IllegalStateException.class, () -> ContextHolder.install(application, request -> null));
        }
    }
}
