package dev.hearth.kernel.internal.frozen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.dropped.FailingActivator;
import dev.hearth.kernel.internal.deploy.TestingBundle;
import dev.hearth.kernel.internal.frozen.FrozenBundleStarter.Origin;
import dev.hearth.kernel.internal.inventory.BundleLocations;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.felix.framework.FrameworkFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleException;
import org.osgi.framework.Constants;
import org.osgi.framework.launch.Framework;
import org.osgi.framework.wiring.BundleWiring;

/** Snapshots by drivers and their start on executors, in separate frameworks. */
class FrameworkBundleTransferTest {
    private static final long STOP_MILLIS_MAX = 10_000;

    @TempDir
    Path scratch;

    private final List<Framework> frameworks = new ArrayList<>();
    private final BundleUsageRegistry uses = new BundleUsageRegistry();
    private final List<Path> executorJars = new ArrayList<>();
    private final RecordingReserves driverReserves = new RecordingReserves();
    private final RecordingReserves executorReserves = new RecordingReserves();
    private BundleContext driver;
    private BundleContext executor;
    private BundleFreezer freezing;
    private FrozenBundleStarter starting;
    private Path home;

    @BeforeEach
    void boot() throws Exception {
        driver = framework("driver");
        executor = framework("executor");
        home = Files.createDirectories(scratch.resolve("home"));
        freezing = new BundleFreezer(
                driver, uses, role -> executorJars, scratch.resolve("frozen"), driverReserves, Optional.empty());
        starting = new FrozenBundleStarter(executor, home, scratch.resolve("fetched"), Origin.DRIVER, executorReserves);
    }

    @AfterEach
    void stop() throws Exception {
        for (Framework framework : frameworks) {
            framework.stop();
            framework.waitForStop(STOP_MILLIS_MAX);
        }
    }

    @Test
    void freezesWhatIsLentOrDeclaredBehindWhatItIsWiredTo() throws Exception {
        running(new TestingBundle("library", "1.0").with("Export-Package", "a.library"));
        Bundle lender = running(new TestingBundle("lender", "1.0").with("Import-Package", "a.library"));
        running(new TestingBundle("declared", "2.0").with("Hearth-Executor", "true"));
        running(new TestingBundle("other", "1.0"));
        running(new TestingBundle("silent", "1.0").with("Hearth-Executor", "false"));
        assertEquals(List.of("library 1.0.0", "lender 1.0.0", "declared 2.0.0"), names(freeze(lender)));
    }

    @Test
    void leavesOutWhatExecutorsStartWithAndWhatIsOnItsWayOut() throws Exception {
        Bundle platform = running(new TestingBundle("platform", "1.0").with("Export-Package", "a.platform"));
        executorJars.add(BundleLocations.jar(platform).orElseThrow());
        Bundle lender = running(new TestingBundle("lender", "1.0")
                .with("Import-Package", "a.platform")
                .with("Hearth-Executor", "true"));
        running(new TestingBundle("lender", "2.0").with("Hearth-Executor", "true"));
        Bundle leaving = running(new TestingBundle("leaving", "1.0").with("Hearth-Executor", "true"));
        uses.of(leaving).hide();
        assertEquals(List.of("lender 1.0.0"), names(freeze(lender)), "of one name, what the application uses");
    }

    @Test
    void freezesNothingWhereNothingIsNeeded() throws Exception {
        running(new TestingBundle("other", "1.0"));
        assertSame(BundleSet.NONE, freeze());
        assertFalse(Files.exists(scratch.resolve("frozen")));
    }

    @Test
    void freezesReservesThatDoNotRunAndExecutorsWaitForTheirTriggers() throws Exception {
        driverReserves.onInstall = () -> {
            installed(new TestingBundle("client", "1.0")
                    .with("Export-Package", "a.client")
                    .with("Hearth-Executor", "reserve;when=\"service:a.Client\""));
            installed(new TestingBundle("store", "1.0")
                    .with("Import-Package", "a.client")
                    .with("Hearth-Application-Api", "a.store.*")
                    .with("Hearth-Executor", "reserve;when=\"scheme:far hearth.far.*\""));
        };
        running(new TestingBundle("declared", "1.0").with("Hearth-Executor", "true"));
        running(new TestingBundle("wrong", "1.0").with("Hearth-Executor", "reserve"));
        BundleSet set = freeze();
        assertEquals(List.of("declared 1.0.0", "client 1.0.0", "store 1.0.0"), names(set));
        starting.start(
                set.bundles(),
                (bundle, target) -> Files.copy(set.jar(bundle.content()).orElseThrow(), target));
        assertEquals(
                List.of("client [service:a.Client] 1", "store [scheme:far, hearth.far.*, package:a.store.*] 2"),
                executorReserves.added);
        List<Integer> states = Arrays.stream(executor.getBundles())
                .skip(1)
                .map(Bundle::getState)
                .toList();
        assertEquals(List.of(Bundle.ACTIVE, Bundle.RESOLVED, Bundle.RESOLVED), states);
    }

    @Test
    void leavesOutWhatIsDeclaredButDoesNotRun() throws Exception {
        Bundle lender = running(new TestingBundle("lender", "1.0"));
        running(new TestingBundle("stopped", "1.0").with("Hearth-Executor", "true"))
                .stop();
        assertEquals(List.of("lender 1.0.0"), names(freeze(lender)));
    }

    @Test
    void freezesForADriverWhatIsDeployedAndBelongsToDrivers() throws Exception {
        Bundle platform = running(new TestingBundle("platform", "1.0").with("Export-Package", "a.platform"));
        executorJars.add(BundleLocations.jar(platform).orElseThrow());
        running(new TestingBundle("library", "1.0").with("Export-Package", "a.library"));
        running(new TestingBundle("installed", "1.0"));
        deployed(new TestingBundle("manager", "1.0").with("Import-Package", "a.library,a.platform"));
        deployed(new TestingBundle("store", "1.0")
                .with("Hearth-Role", "submit;main=true,driver,executor;when=\"hearth.x\""));
        deployed(new TestingBundle("commands", "1.0").with("Hearth-Role", "shell,serve"));
        deployed(new TestingBundle("stopped", "1.0")).stop();
        uses.of(deployed(new TestingBundle("leaving", "1.0"))).hide();
        BundleSet set = freezing.freezeForDriver();
        assertEquals(List.of("library 1.0.0", "manager 1.0.0", "store 1.0.0"), names(set));
        assertEquals(List.of("deployed"), driverReserves.added, "those on demand start first");
        set.close();
        try (var copies = Files.list(scratch.resolve("frozen"))) {
            assertEquals(List.of(), copies.toList());
        }
    }

    @Test
    void namesTheSubmitterWhereADriverCannotStartItsBundle() throws Exception {
        starting =
                new FrozenBundleStarter(executor, home, scratch.resolve("fetched"), Origin.SUBMITTER, executorReserves);
        String missing = refused(new TestingBundle("lacking", "1.0").with("Import-Package", "a.missing"));
        assertTrue(missing.startsWith("bundle lacking 1.0.0 of the submitter: not started, "), missing);
        assertTrue(missing.endsWith("; put the bundles that it needs into deploy/ of the submitter too"), missing);
    }

    @Test
    void keepsNoCopiesWhenOneOfTheBundlesCannotBeCopied() throws Exception {
        Bundle lender = running(new TestingBundle("lender", "1.0"));
        Path jar = scratch.resolve("stream.jar");
        new TestingBundle("stream", "1.0").write(jar);
        Bundle stream;
        try (InputStream in = Files.newInputStream(jar)) {
            stream = driver.installBundle("stream", in);
        }
        stream.start();
        HearthException failure = assertThrows(HearthException.class, () -> freeze(lender, stream));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        try (var copies = Files.list(scratch.resolve("frozen"))) {
            assertEquals(List.of(), copies.toList());
        }
    }

    @Test
    void keepsTheBytesUntilTheLastApplicationIsClosed() throws Exception {
        Bundle lender = running(new TestingBundle("lender", "1.0"));
        Path jar = BundleLocations.jar(lender).orElseThrow();
        byte[] first = Files.readAllBytes(jar);
        BundleSet one = freeze(lender);
        BundleSet other = freeze(lender);
        Files.delete(jar);
        new TestingBundle("lender", "2.0").write(jar);
        ContentId content = one.bundles().get(0).content();
        Path kept = one.jar(content).orElseThrow();
        assertArrayEquals(first, Files.readAllBytes(kept));
        assertEquals(first.length, one.bundles().get(0).bytes());
        assertTrue(one.jar(new ContentId("0".repeat(64))).isEmpty());
        one.close();
        one.close();
        assertTrue(Files.exists(kept), "the other application needs it");
        other.close();
        assertFalse(Files.exists(kept));
    }

    @Test
    void startsWhatItsOwnHomeHasAndFetchesTheRest() throws Exception {
        Bundle lender = running(new TestingBundle("lender", "1.0").with("Export-Package", "a.lender"));
        Bundle user = running(new TestingBundle("user", "1.0").with("Import-Package", "a.lender"));
        BundleSet set = freeze(user);
        Files.copy(BundleLocations.jar(lender).orElseThrow(), home.resolve("lender-1.0.jar"));
        new TestingBundle("user", "1.0").write(home.resolve("user-1.0.jar"));
        List<String> fetched = new ArrayList<>();
        starting.start(set.bundles(), (bundle, target) -> {
            fetched.add(bundle.toString());
            Files.copy(set.jar(bundle.content()).orElseThrow(), target);
        });
        assertEquals(List.of("user 1.0.0"), fetched, "of the same name, and not the same bytes");
        List<Bundle> here = Arrays.stream(executor.getBundles()).skip(1).toList();
        assertEquals(
                List.of("lender", "user"),
                here.stream().map(Bundle::getSymbolicName).toList());
        assertTrue(here.stream().allMatch(bundle -> bundle.getState() == Bundle.ACTIVE));
        assertEquals(
                home.resolve("lender-1.0.jar"), BundleLocations.jar(here.get(0)).orElseThrow());
        assertEquals(
                set.bundles().get(1).content(),
                ContentId.of(BundleLocations.jar(here.get(1)).orElseThrow()));
    }

    @Test
    void attachesFragmentsWithoutStartingThem() throws Exception {
        TestingBundle fragment = new TestingBundle("fragment", "1.0").with(Constants.FRAGMENT_HOST, "host");
        List<Path> jars = List.of(scratch.resolve("fragment.jar"), scratch.resolve("host.jar"));
        fragment.write(jars.get(0));
        new TestingBundle("host", "1.0").write(jars.get(1));
        List<FrozenBundle> frozen = new ArrayList<>();
        for (Path jar : jars) {
            String name = jar.getFileName().toString().replace(".jar", "");
            frozen.add(new FrozenBundle(name, "1.0.0", ContentId.of(jar), Files.size(jar)));
        }
        starting.start(frozen, (wanted, target) -> Files.copy(jars.get(frozen.indexOf(wanted)), target));
        Bundle[] here = executor.getBundles();
        assertEquals(Bundle.RESOLVED, here[1].getState());
        assertEquals(Bundle.ACTIVE, here[2].getState());
    }

    @Test
    void saysWhichBundleDoesNotStartAndWhy() throws Exception {
        assertEquals(
                "bundle failing 1.0.0 of the driver: not started, its activator threw"
                        + " java.lang.IllegalStateException: broken on purpose (expected: a start without failure);"
                        + " bundles that it needs on executors must have the header Hearth-Executor: true",
                refused(new TestingBundle("failing", "1.0").activated(FailingActivator.class)));
        String missing = refused(new TestingBundle("lacking", "1.0").with("Import-Package", "a.missing"));
        assertTrue(
                missing.startsWith("bundle lacking 1.0.0 of the driver: not started, lacks package a.missing"),
                missing);
    }

    @Test
    void saysWhichBundleCannotBeFetched() {
        FrozenBundle bundle = new FrozenBundle("far", "1.0.0", new ContentId("0".repeat(64)), 1);
        HearthException failure = assertThrows(
                HearthException.class,
                () -> starting.start(List.of(bundle), (wanted, target) -> {
                    throw new IOException("the way is cut");
                }));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        assertTrue(
                String.valueOf(failure.getMessage()).startsWith("bundle far 1.0.0 of the driver: not installed, ")
                        && failure.getMessage().contains("the way is cut"),
                failure.getMessage());
    }

    /** Installs a bundle in the driver without starting it. */
    private void installed(TestingBundle bundle) {
        try {
            running(bundle).stop();
        } catch (Exception failure) {
            throw new AssertionError(failure);
        }
    }

    /** Records what is in reserve instead of starting it. */
    private static final class RecordingReserves implements OnDemandFreezing {
        private final List<String> added = new ArrayList<>();
        private Runnable onInstall = () -> {};

        @Override
        public void installForExecutors() {
            onInstall.run();
        }

        @Override
        public void startDeployed() {
            added.add("deployed");
        }

        @Override
        public void add(String name, List<String> triggers, List<Path> jars) {
            added.add(name + " " + triggers + " " + jars.size());
        }
    }

    private String refused(TestingBundle bundle) throws IOException {
        Path jar = scratch.resolve("refused-" + System.identityHashCode(bundle) + ".jar");
        bundle.write(jar);
        String name = bundle.name();
        FrozenBundle frozen = new FrozenBundle(name, "1.0.0", ContentId.of(jar), Files.size(jar));
        HearthException failure = assertThrows(
                HearthException.class,
                () -> starting.start(List.of(frozen), (wanted, target) -> Files.copy(jar, target)));
        assertEquals(ErrorCode.START_FAILED.name(), failure.code());
        return String.valueOf(failure.getMessage());
    }

    private BundleSet freeze(Bundle... lenders) {
        Set<ClassLoader> loaders = new LinkedHashSet<>();
        for (Bundle lender : lenders) {
            loaders.add(lender.adapt(BundleWiring.class).getClassLoader());
        }
        return freezing.freeze("pi", loaders);
    }

    private static List<String> names(BundleSet set) {
        return set.bundles().stream().map(FrozenBundle::toString).toList();
    }

    private Bundle deployed(TestingBundle bundle) throws BundleException, IOException {
        int number = driver.getBundles().length;
        Path jar = scratch.resolve("deployed " + number + ".jar");
        bundle.write(jar);
        try (InputStream in = Files.newInputStream(jar)) {
            Bundle installed = driver.installBundle(BundleLocations.dropped(number, jar), in);
            installed.start();
            return installed;
        }
    }

    private Bundle running(TestingBundle bundle) throws BundleException, IOException {
        Path jar = scratch.resolve("a+jar " + driver.getBundles().length + ".jar");
        bundle.write(jar);
        Bundle installed = driver.installBundle(BundleLocations.inPlace(jar));
        installed.start();
        return installed;
    }

    private BundleContext framework(String name) throws BundleException {
        Framework framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        scratch.resolve(name + "-cache").toString(),
                        Constants.FRAMEWORK_BSNVERSION,
                        Constants.FRAMEWORK_BSNVERSION_MULTIPLE));
        framework.start();
        frameworks.add(framework);
        return framework.getBundleContext();
    }
}
