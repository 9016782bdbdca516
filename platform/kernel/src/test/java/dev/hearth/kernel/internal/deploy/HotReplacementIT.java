package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kernel.dropped.VersionActivator;
import dev.hearth.spi.live.Live;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.ref.WeakReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.BundleWiring;

/** Replaces a service a hundred times while a caller calls it every two milliseconds. Every attempted call counts. */
@Timeout(180)
class HotReplacementIT {
    private static final int REPLACEMENTS = 100;
    /** Replacements before memory is compared: profiles of running code are in the same memory as classes. */
    private static final int WARM_UP = 60;

    private static final long CALL_EVERY_MICROS = 2_000;
    private static final long VERSION_SECONDS_MAX = 20;
    private static final long METASPACE_GROWTH_MAX = 1024 * 1024; // bytes; a leaked loader costs about 40 KiB
    private static final int COLLECTIONS_MAX = 50;

    @TempDir
    Path scratch;

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong longestNanos = new AtomicLong();
    private final BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> versions = new LinkedBlockingQueue<>();
    private final List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    private String last = ""; // the caller's
    private int replaced;

    @Test
    void failsNoCallAndLeavesNothingBehind() throws Exception {
        ScheduledExecutorService caller = Executors.newSingleThreadScheduledExecutor();
        try (DeployedFramework host = new DeployedFramework(scratch, Duration.ofSeconds(30))) {
            bundle(0).write(host.directory.resolve("service-0.jar"));
            host.deployer.start();
            try (Live<?> live = host.live(Duration.ofSeconds(10)).live(Supplier.class, "(hearth.test=version)")) {
                Future<?> calling =
                        caller.scheduleAtFixedRate(() -> call(live), 0, CALL_EVERY_MICROS, TimeUnit.MICROSECONDS);
                awaitVersion(0);
                replaceUpTo(WARM_UP, host);
                final long metaspace = collect(host);
                final int classes = loadedClasses();
                replaceUpTo(WARM_UP + REPLACEMENTS, host);
                long growth = collect(host) - metaspace;
                assertFalse(calling.isDone(), "the caller stopped calling");
                caller.shutdown();
                assertTrue(caller.awaitTermination(VERSION_SECONDS_MAX, TimeUnit.SECONDS));
                System.out.printf(
                        "%d replacements, %d calls, %d failed, longest %.1f ms; in the last %d of them metaspace grew by"
                                + " %d KiB, classes by %d; %d loaders of replaced bundles left%n",
                        WARM_UP + REPLACEMENTS,
                        calls.get(),
                        failures.size(),
                        longestNanos.get() / 1e6,
                        REPLACEMENTS,
                        growth / 1024,
                        loadedClasses() - classes,
                        left());
                assertEquals(List.of(), List.copyOf(failures));
                assertTrue(calls.get() > REPLACEMENTS, "calls " + calls);
                assertEquals(0, left(), "class loaders of replaced bundles");
                assertTrue(loadedClasses() - classes < REPLACEMENTS / 2, "classes loaded: " + loadedClasses());
                assertTrue(growth < METASPACE_GROWTH_MAX, "metaspace grew by " + growth + " bytes");
                assertEquals(1, host.deployer.deployed().size(), host.deployer.deployed()::toString);
            }
        } finally {
            caller.shutdownNow();
        }
    }

    private void replaceUpTo(int last, DeployedFramework host) throws Exception {
        while (replaced < last) {
            remember(host);
            replaced++;
            replace(host.directory, replaced);
            awaitVersion(replaced);
        }
    }

    private static int loadedClasses() {
        return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    }

    private void call(Live<?> live) {
        long begin = System.nanoTime();
        calls.incrementAndGet();
        try {
            String version = live.call(service -> String.valueOf(((Supplier<?>) service).get()));
            if (!version.equals(last)) {
                last = version;
                versions.add(version);
            }
        } catch (Throwable failure) {
            failures.add(failure);
        }
        longestNanos.accumulateAndGet(System.nanoTime() - begin, Math::max);
    }

    /** Alternately replaces the old file, or adds a new one before removing the old one. */
    private static void replace(Path directory, int i) throws Exception {
        Path before = directory.resolve("service-" + (i - 1) / 2 + ".jar");
        Path next = directory.resolve("service-" + i / 2 + ".jar");
        bundle(i).write(next);
        if (!next.equals(before)) {
            Files.delete(before);
        }
    }

    private static TestingBundle bundle(int i) {
        return new TestingBundle("service", "1.0." + i).activated(VersionActivator.class);
    }

    private void awaitVersion(int i) throws InterruptedException {
        String expected = "1.0." + i;
        String seen = "";
        while (!seen.equals(expected)) {
            seen = versions.poll(VERSION_SECONDS_MAX, TimeUnit.SECONDS);
            assertTrue(seen != null, () -> "version " + expected + " did not come; failures " + failures);
        }
    }

    private void remember(DeployedFramework host) {
        for (Bundle bundle : host.context().getBundles()) {
            BundleWiring wiring = bundle.adapt(BundleWiring.class);
            if ("service".equals(bundle.getSymbolicName()) && wiring != null) {
                ClassLoader classes = wiring.getClassLoader();
                if (classes != null && loaders.stream().noneMatch(known -> known.refersTo(classes))) {
                    loaders.add(new WeakReference<>(classes));
                }
            }
        }
    }

    private long left() {
        return loaders.stream().filter(loader -> !loader.refersTo(null)).count();
    }

    /** Waits until replaced bundles are removed and their loaders collected; returns the bytes of classes in use. */
    private long collect(DeployedFramework host) {
        host.await(all -> all.size() == 1);
        for (int i = 0; i < COLLECTIONS_MAX && left() > 0; i++) {
            System.gc();
        }
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getName().equals("Metaspace"))
                .mapToLong(HotReplacementIT::used)
                .sum();
    }

    private static long used(MemoryPoolMXBean pool) {
        return pool.getUsage().getUsed();
    }
}
