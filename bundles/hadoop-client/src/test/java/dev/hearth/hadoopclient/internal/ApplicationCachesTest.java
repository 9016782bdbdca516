package dev.hearth.hadoopclient.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.io.WritableFactories;
import org.apache.hadoop.io.WritableName;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The class loader of an application that has used Hadoop is collected after its end. */
@Timeout(60)
class ApplicationCachesTest {
    private static final int COLLECTIONS_MAX = 50;
    private static final long PAUSE_MILLIS = 50;

    @TempDir
    Path directory;

    /** A Writable of the application. */
    public static final class Own extends LongWritable {}

    /** A loader with classes of its own, as that of an application. */
    private static final class ApplicationLoader extends ClassLoader {
        ApplicationLoader() {
            super("application", ApplicationCachesTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Own.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            try (InputStream code = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] bytes = code.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failure) {
                throw new ClassNotFoundException(name, failure);
            }
        }
    }

    @Test
    void itsClassesLeaveWithIt() throws Exception {
        EmbeddedHadoop hadoop = new EmbeddedHadoop(
                Settings.empty(), new HadoopEnvironment(Map.of(), directory), Optional.empty(), () -> false);
        hadoop.configuration(); // starts it
        ApplicationCaches caches = new ApplicationCaches();
        WeakReference<ClassLoader> kept = used(loader -> {});
        assertNotNull(collected(kept), "Hadoop's caches would be no problem");
        WeakReference<ClassLoader> released = used(caches::ended);
        assertNull(collected(released), "a cache keeps the application's class loader");
    }

    @Test
    void threadsOfHadoopInItsContextEndAndTheOneOfTheProcessStays() throws Exception {
        new EmbeddedHadoop(Settings.empty(), new HadoopEnvironment(Map.of(), directory), Optional.empty(), () -> false)
                .configuration(); // starts it
        ClassLoader application = new ApplicationLoader();
        CountDownLatch never = new CountDownLatch(1);
        Daemon waiting = new Daemon(() -> {
            try {
                never.await();
            } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
            }
        });
        CountDownLatch stop = new CountDownLatch(1);
        Thread cleaner = new Thread(
                () -> {
                    try {
                        stop.await();
                    } catch (InterruptedException end) {
                        Thread.currentThread().interrupt();
                    }
                },
                HadoopShutdown.STATISTICS_CLEANER);
        for (Thread thread : List.of(waiting, cleaner)) {
            thread.setContextClassLoader(application);
            thread.start();
        }
        new ApplicationCaches().ending(application);
        waiting.join();
        assertNotSame(application, cleaner.getContextClassLoader());
        assertTrue(cleaner.isAlive());
        stop.countDown();
        cleaner.join();
    }

    private interface End {
        void of(ClassLoader application);
    }

    private static WeakReference<ClassLoader> used(End end) throws Exception {
        FutureTask<WeakReference<ClassLoader>> work = new FutureTask<>(() -> {
            ClassLoader loader = new ApplicationLoader();
            Thread.currentThread().setContextClassLoader(loader);
            use(loader);
            end.of(loader);
            return new WeakReference<>(loader);
        });
        Thread thread = new Thread(work, "application");
        thread.start();
        thread.join();
        return work.get();
    }

    @SuppressWarnings("unchecked")
    private static void use(ClassLoader loader) throws Exception {
        Configuration own = new Configuration();
        assertEquals(loader, own.getClassLoader());
        Class<? extends WritableComparable<?>> type =
                (Class<? extends WritableComparable<?>>) own.getClassByName(Own.class.getName());
        assertEquals(loader, type.getClassLoader());
        Object made = ReflectionUtils.newInstance(type, own);
        WritableComparator.get(type, own);
        WritableComparator.get(IntWritable.class, own);
        WritableName.setName(type, "own");
        WritableFactories.setFactory(type, () -> new IntWritable());
        ReflectionUtils.copy(own, (LongWritable) made, new LongWritable());
        FileSystem.get(own).exists(new org.apache.hadoop.fs.Path("/"));
        UserGroupInformation.setConfiguration(own);
        new DataInputBuffer().close();
    }

    private static Object collected(WeakReference<ClassLoader> loader) throws InterruptedException {
        for (int i = 0; i < COLLECTIONS_MAX && loader.get() != null; i++) {
            System.gc();
            new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        }
        return loader.get();
    }
}
