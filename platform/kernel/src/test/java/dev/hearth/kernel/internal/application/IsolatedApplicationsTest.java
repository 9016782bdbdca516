package dev.hearth.kernel.internal.application;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.CoreConstants;
import ch.qos.logback.core.read.ListAppender;
import dev.hearth.api.HearthContext;
import dev.hearth.api.HearthException;
import dev.hearth.spi.application.ApplicationLoader;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class IsolatedApplicationsTest {
    private final IsolatedApplications loaders = new IsolatedApplications(
            wanted -> List.of(),
            new NoBundleTransfer(),
            new ApplicationEndCalls(List::of, ApplicationEndCalls.BOUND),
            settings -> {});

    @TempDir
    Path directory;

    /** Stands for a class that is in the application's jar and also on the kernel's class path. */
    static final class Shared {}

    @Test
    void loadsTheApplicationsClassesAnewAndTheApiFromThePlatform() throws Exception {
        Path jar = jar("app.jar", HearthContext.class, CoreConstants.class);
        try (ApplicationLoader loader = loaders.open("one", List.of(jar))) {
            assertEquals(List.of(jar), loader.jars());
            assertSame(HearthContext.class, loader.classes().loadClass(HearthContext.class.getName()));
            Class<?> own = loader.classes().loadClass(CoreConstants.class.getName());
            assertNotSame(CoreConstants.class, own);
            assertSame(loader.classes(), own.getClassLoader());
        }
    }

    @Test
    void leavesClassesToShutdownHooksInAProcessThatEndsWithItsApplication() throws Exception {
        IsolatedApplications ending = new IsolatedApplications(
                wanted -> List.of(),
                new NoBundleTransfer(),
                new ApplicationEndCalls(List::of, ApplicationEndCalls.BOUND),
                settings -> {},
                false);
        Path jar = jar("app.jar", CoreConstants.class);
        ApplicationLoader kept = ending.open("one", List.of(jar));
        kept.close();
        assertSame(
                kept.classes(),
                kept.classes().loadClass(CoreConstants.class.getName()).getClassLoader());
        ApplicationLoader closed = loaders.open("one", List.of(jar));
        closed.close();
        assertThrows(ClassNotFoundException.class, () -> closed.classes().loadClass(CoreConstants.class.getName()));
    }

    @Test
    void hidesThePlatformAndItsResources() throws Exception {
        try (ApplicationLoader loader = loaders.open("one", List.of(jar("app.jar")))) {
            ClassLoader classes = loader.classes();
            assertThrows(ClassNotFoundException.class, () -> classes.loadClass(ErrorCode.class.getName()));
            assertThrows(ClassNotFoundException.class, () -> classes.loadClass(CoreConstants.class.getName()));
            assertThrows(ClassNotFoundException.class, () -> classes.loadClass("org.osgi.framework.Bundle"));
            assertNull(classes.getResource("dev/hearth/api/HearthContext.class"));
            assertNull(classes.getResource("META-INF/services/ch.qos.logback.classic.spi.Configurator"));
            assertNotNull(classes.loadClass("java.sql.Connection"));
        }
    }

    @Test
    void takesNoPlatformClassFromAnApplicationsJarAndWarnsOncePerJar() throws Exception {
        Path fat = jar("fat.jar", ErrorCode.class, Shared.class);
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        ((LoggerContext) LoggerFactory.getILoggerFactory())
                .getLogger(ApplicationClassLoader.class)
                .addAppender(seen);
        try (ApplicationLoader loader = loaders.open("one", List.of(jar("app.jar"), fat))) {
            ClassLoader classes = loader.classes();
            assertThrows(ClassNotFoundException.class, () -> classes.loadClass(ErrorCode.class.getName()));
            assertThrows(ClassNotFoundException.class, () -> classes.loadClass(Shared.class.getName()));
        } finally {
            seen.stop();
        }
        assertEquals(1, seen.list.size());
        String warning = seen.list.get(0).getFormattedMessage();
        assertTrue(warning.contains("application one: ") && warning.contains("fat.jar"), warning);
    }

    @Test
    void lendsItsLoggingToApplicationsWithoutABindingOfTheirOwn() throws Exception {
        Path bound = jar("bound.jar", List.of(LoggerFactory.class), List.of("org/slf4j/impl/StaticLoggerBinder.class"));
        try (ApplicationLoader without = loaders.open("one", List.of(jar("app.jar")));
                ApplicationLoader unbound = loaders.open("two", List.of(jar("logging.jar", LoggerFactory.class)));
                ApplicationLoader with = loaders.open("three", List.of(bound))) {
            assertSame(LoggerFactory.class, without.classes().loadClass(LoggerFactory.class.getName()));
            assertSame(LoggerFactory.class, unbound.classes().loadClass(LoggerFactory.class.getName()));
            assertNotSame(LoggerFactory.class, with.classes().loadClass(LoggerFactory.class.getName()));
            // classes missing in its older slf4j must not come from ours
            assertThrows(ClassNotFoundException.class, () -> with.classes().loadClass("org.slf4j.event.KeyValuePair"));
        }
    }

    @Test
    void looksIntoTheClassPathOfThisProcessFirst() throws Exception {
        Path classes = Files.createDirectories(directory.resolve("classes"));
        Files.writeString(classes.resolve("which.txt"), "directory");
        Path application = jar("app.jar", List.of(), List.of("which.txt", "own.txt"));
        Path extra = jar("extra.jar", List.of(), List.of("which.txt", "extra.txt"));
        try (ApplicationLoader loader = loaders.open("one", List.of(classes, extra), List.of(application))) {
            assertEquals(
                    classes.resolve("which.txt").toUri().toURL(),
                    loader.classes().getResource("which.txt"));
            assertTrue(String.valueOf(loader.classes().getResource("extra.txt")).contains("extra.jar"));
            assertTrue(String.valueOf(loader.classes().getResource("own.txt")).contains("app.jar"));
            assertEquals(List.of(application), loader.jars());
        }
        assertThrows(
                HearthException.class,
                () -> loaders.open("one", List.of(directory.resolve("none.jar")), List.of(application)));
    }

    @Test
    void refusesJarsThatCannotBeRead() throws Exception {
        Path corrupt = Files.writeString(directory.resolve("corrupt.jar"), "PK, or so");
        for (Path bad : List.of(directory.resolve("none.jar"), directory, corrupt)) {
            HearthException failure =
                    assertThrows(HearthException.class, () -> loaders.open("one", List.of(jar("app.jar"), bad)));
            assertEquals("PATH_MISSING", failure.code());
            assertTrue(failure.getMessage().contains(bad.toString()), failure.getMessage());
        }
    }

    @Test
    void namesTheJarWhoseManifestIsTooLarge() throws Exception {
        Path bomb = directory.resolve("bomb.jar");
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(bomb))) {
            out.putNextEntry(new ZipEntry("META-INF/MANIFEST.MF"));
            out.write(("A: " + "x".repeat(60) + "\n").repeat(20_000).getBytes(StandardCharsets.UTF_8));
        }
        HearthException failure =
                assertThrows(HearthException.class, () -> loaders.open("one", List.of(jar("app.jar"), bomb)));
        assertEquals("PATH_MISSING", failure.code());
        assertEquals(
                "jar " + bomb + " of application one: its manifest has 1280000 bytes of headers"
                        + " (expected: at most 1048576)",
                failure.getMessage());
    }

    @Test
    void loadsNothingMoreOnceClosed() throws Exception {
        ApplicationLoader loader = loaders.open("one", List.of(jar("app.jar", CoreConstants.class)));
        loader.close();
        loader.close();
        assertThrows(ClassNotFoundException.class, () -> loader.classes().loadClass(CoreConstants.class.getName()));
    }

    private Path jar(String name, Class<?>... classes) throws IOException {
        return jar(name, List.of(classes), List.of("marker.txt"));
    }

    private Path jar(String name, List<Class<?>> classes, List<String> others) throws IOException {
        Path jar = directory.resolve(name);
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Class<?> type : classes) {
                String entry = type.getName().replace('.', '/') + ".class";
                out.putNextEntry(new ZipEntry(entry));
                try (InputStream in = type.getClassLoader().getResourceAsStream(entry)) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
            for (String other : others) {
                out.putNextEntry(new ZipEntry(other));
                out.closeEntry();
            }
        }
        return jar;
    }
}
