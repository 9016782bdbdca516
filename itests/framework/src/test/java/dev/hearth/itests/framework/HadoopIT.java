package dev.hearth.itests.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.Settings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.inject.Inject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkEvent;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.wiring.BundleWiring;
import org.osgi.framework.wiring.FrameworkWiring;

/** Hadoop's client in a real framework: it resolves, other bundles use it, and its classes are collected afterwards. */
@ExtendWith(PaxExamJupiter.class)
@Timeout(120)
public class HadoopIT {
    private static final String RUNTIME = "dev.hearth.hadoopclient.api.HadoopRuntime";
    private static final String PROGRAM = "user.HadoopUse";
    private static final int COLLECTIONS_MAX = 50;
    private static final long COLLECTION_MILLIS = 100;

    @Inject
    private BundleContext context;

    @Configuration
    public Option[] bundles() {
        return ClassPathBundles.platformWith("hearth-hadoop-client");
    }

    @Test
    public void itsClassesAreCollectedOnceItsBundleIsGone() throws Exception {
        Path directory = Files.createTempDirectory("hadoop");
        ServiceRegistration<KernelInfo> kernel =
                context.registerService(KernelInfo.class, new TestingKernel(directory), null);
        try {
            for (int round = 0; round < 2; round++) { // the second finds a JVM that has seen Hadoop before
                Bundle hadoop = bundle("hearth-hadoop-client");
                String location = hadoop.getLocation();
                WeakReference<ClassLoader> classes = useAndUninstall(hadoop, directory);
                assertTrue(
                        isCollected(classes),
                        "round " + round + ": Hadoop's classes stay in memory; "
                                + Thread.getAllStackTraces().keySet());
                context.installBundle(location).start();
            }
        } finally {
            kernel.unregister();
        }
    }

    private WeakReference<ClassLoader> useAndUninstall(Bundle hadoop, Path directory) throws Exception {
        Bundle user = context.installBundle("test:user", userJar(directory));
        long before = System.nanoTime();
        user.start();
        long resolved = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
        assertTrue(resolved < 2_000, "resolving against Hadoop took " + resolved + " ms");
        FutureTask<String> use = new FutureTask<>(() -> use(user, directory));
        Thread thread = new Thread(use, "hadoop-use");
        thread.start(); // of its own, because Hadoop leaves thread locals
        String steps = use.get(60, TimeUnit.SECONDS);
        thread.join();
        assertEquals(
                "buffer 65536\nfile 5\nuser " + System.getProperty("user.name")
                        + "\nyarn ConnectException\nhdfs ConnectException",
                steps.substring(0, steps.indexOf("\nhook")));
        WeakReference<ClassLoader> classes =
                new WeakReference<>(hadoop.adapt(BundleWiring.class).getClassLoader());
        user.uninstall();
        hadoop.stop();
        hadoop.uninstall();
        CountDownLatch refreshed = new CountDownLatch(1);
        context.getBundle(Constants.SYSTEM_BUNDLE_LOCATION)
                .adapt(FrameworkWiring.class)
                .refreshBundles(List.of(user, hadoop), event -> {
                    if (event.getType() == FrameworkEvent.PACKAGES_REFRESHED) {
                        refreshed.countDown();
                    }
                });
        assertTrue(refreshed.await(20, TimeUnit.SECONDS));
        return classes;
    }

    /** Calls the other bundle by reflection, so that this one is never wired to Hadoop. */
    private String use(Bundle user, Path directory) throws Exception {
        // unlike getServiceReference, this does not make the framework wire this bundle to the provider
        ServiceReference<?> reference =
                Objects.requireNonNull(context.getAllServiceReferences(RUNTIME, null), "no service")[0];
        Object runtime = context.getService(reference);
        try {
            Class<?> type = user.loadClass(RUNTIME);
            Object configuration =
                    type.getMethod("configuration", Settings.class).invoke(runtime, Settings.empty());
            Callable<?> action = (Callable<?>) user.loadClass(PROGRAM)
                    .getConstructor(Object.class, String.class)
                    .newInstance(configuration, directory.toString());
            Method call = type.getMethod("call", Callable.class);
            return (String) call.invoke(runtime, action);
        } finally {
            context.ungetService(reference);
        }
    }

    private static boolean isCollected(WeakReference<ClassLoader> classes) throws InterruptedException {
        for (int i = 0; i < COLLECTIONS_MAX && classes.get() != null; i++) {
            System.gc();
            new CountDownLatch(1).await(COLLECTION_MILLIS, TimeUnit.MILLISECONDS);
        }
        return classes.get() == null;
    }

    private Bundle bundle(String name) {
        for (Bundle bundle : context.getBundles()) {
            if (name.equals(bundle.getSymbolicName())) {
                return bundle;
            }
        }
        throw new AssertionError("bundle " + name + ": not installed");
    }

    /** A bundle of one class, compiled here: as a test class it would wire this bundle to Hadoop. */
    private static InputStream userJar(Path directory) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        main.putValue(Constants.BUNDLE_SYMBOLICNAME, "hadoop-user");
        main.putValue(
                Constants.IMPORT_PACKAGE,
                "dev.hearth.hadoopclient.api,org.apache.hadoop.conf,org.apache.hadoop.fs,org.apache.hadoop.security,"
                        + "org.apache.hadoop.util,org.apache.hadoop.service,org.apache.hadoop.yarn.client.api");
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "-d",
                        directory.toString(),
                        System.getProperty("hearth.programs") + "/user/HadoopUse.java");
        assertEquals(0, status, "the program does not compile");
        String file = PROGRAM.replace('.', '/') + ".class";
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JarOutputStream jar = new JarOutputStream(bytes, manifest)) {
            jar.putNextEntry(new JarEntry(file));
            Files.copy(directory.resolve(file), jar);
        }
        return new ByteArrayInputStream(bytes.toByteArray());
    }

    /** A kernel without settings. */
    private record TestingKernel(Path home) implements KernelInfo {
        @Override
        public String role() {
            return "test";
        }

        @Override
        public String version() {
            return "0";
        }

        @Override
        public Instant startedAt() {
            return Instant.EPOCH;
        }

        @Override
        public Duration startTook() {
            return Duration.ZERO;
        }

        @Override
        public Settings settings() {
            return Settings.empty();
        }
    }
}
