package dev.hearth.kernel.internal.storage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.FileStores;
import dev.hearth.spi.storage.PinnedStores;
import dev.hearth.spi.storage.StoreContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;

/** In a real framework, whose system bundle registers the factories. */
class RegisteredFileStoresTest {
    @TempDir
    Path directory;

    private final BundleUsageRegistry uses = new BundleUsageRegistry();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final AtomicInteger paths = new AtomicInteger();
    private Framework framework;

    @BeforeEach
    void startFramework() throws Exception {
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE, directory.resolve("cache").toString()));
        framework.start();
    }

    @AfterEach
    void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    @Test
    void pinsTheFactoryOfASchemeAndPrefersItToOneForAll() {
        FileStores any = (scheme, application) -> null;
        FileStores red = (scheme, application) -> null;
        register(any, FileStores.ANY);
        register(red, "red", "rosy");
        RegisteredFileStores stores = stores(Duration.ZERO);
        PinnedStores pinned = stores.pin("rosy", "application pi");
        assertSame(red, pinned.stores());
        assertSame(any, stores.pin("blue", "application pi").stores());
        assertEquals(List.of("application pi (2 times)"), uses.of(framework).holders());
        pinned.close();
        pinned.close();
        assertEquals(List.of("application pi"), uses.of(framework).holders());
        assertTrue(pinned.isGone());
    }

    @Test
    void refusesAnUnknownSchemeAtOnceAndNamesTheOthers() {
        register((scheme, application) -> null, "red");
        HearthException failure = assertThrows(
                HearthException.class, () -> stores(Duration.ofHours(1)).pin("hdfs", "application pi"));
        assertEquals("NO_PROVIDER", failure.code());
        assertEquals(
                "file store for scheme 'hdfs': not installed (expected: one of [file, red]); check the scheme, or put"
                        + " the bundle of that store into bundles/ or deploy/",
                failure.getMessage());
    }

    @Test
    void waitsForTheNextFactoryOfASchemeThatWasServed() throws Exception {
        ServiceRegistration<FileStores> first = register((scheme, application) -> null, "red");
        RegisteredFileStores stores = stores(Duration.ofHours(1));
        PinnedStores pinned = stores.pin("red", "application pi");
        assertFalse(pinned.isGone());
        first.unregister();
        assertTrue(pinned.isGone());
        CompletableFuture<PinnedStores> waiting = CompletableFuture.supplyAsync(() -> stores.pin("red", "pi"));
        assertTrue(asked.await(1, TimeUnit.MINUTES));
        FileStores next = (scheme, application) -> null;
        register(next, "red");
        assertSame(next, waiting.get(1, TimeUnit.MINUTES).stores());
    }

    @Test
    void saysThatAStoreWasRemovedWhenNoOtherComes() {
        ServiceRegistration<FileStores> first = register((scheme, application) -> null, "red");
        RegisteredFileStores stores = stores(Duration.ofMillis(1));
        stores.pin("red", "application pi");
        first.unregister();
        HearthException failure = assertThrows(HearthException.class, () -> stores.pin("red", "application pi"));
        assertEquals(
                "file store for scheme 'red': removed, and no other was registered within 1 ms (expected: a bundle in"
                        + " bundles/ or deploy/ that offers one); see hearth:bundles",
                failure.getMessage());
    }

    @Test
    void asksFactoriesThatMayHaveAHomeAndNoOthers() {
        register((scheme, application) -> null, "red"); // would be asked for nothing else
        RegisteredFileStores stores = stores(Duration.ZERO);
        assertEquals(Optional.empty(), stores.home(new Application("pi", Settings.empty())));
        assertEquals(1, paths.get());
        FileName home = FileName.parse("red://a/user/ann");
        FileStores homed = new FileStores() {
            @Override
            public FileStore open(String scheme, StoreContext context) {
                throw new AssertionError(scheme);
            }

            @Override
            public Optional<FileName> home(StoreContext context) {
                return context.application().equals("pi") ? Optional.of(home) : Optional.empty();
            }
        };
        system().registerService(
                        FileStores.class,
                        homed,
                        FrameworkUtil.asDictionary(Map.of(FileStores.SCHEME, "red", FileStores.HOME, true)));
        assertEquals(Optional.of(home), stores.home(new Application("pi", Settings.empty())));
        assertEquals(Optional.empty(), stores.home(new Application("other", Settings.empty())));
        assertEquals(List.of(), uses.of(framework).holders());
    }

    private record Application(String application, Settings settings) implements StoreContext {}

    private RegisteredFileStores stores(Duration wait) {
        return new RegisteredFileStores(
                framework.getBundleContext(), uses, scheme -> asked.countDown(), paths::incrementAndGet, wait);
    }

    private BundleContext system() {
        return framework.getBundleContext();
    }

    private ServiceRegistration<FileStores> register(FileStores stores, String... schemes) {
        return system().registerService(
                        FileStores.class,
                        stores,
                        FrameworkUtil.asDictionary(
                                Map.of(FileStores.SCHEME, schemes.length == 1 ? schemes[0] : schemes)));
    }
}
