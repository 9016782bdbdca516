package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.dropped.FailingActivator;
import dev.hearth.kernel.dropped.HangingActivator;
import dev.hearth.kernel.dropped.VersionActivator;
import dev.hearth.kernel.internal.inventory.ComponentReferences;
import dev.hearth.kernel.internal.inventory.FrameworkInventory;
import dev.hearth.kernel.internal.live.BundleUsage;
import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.kernel.Deployer.State;
import dev.hearth.spi.live.Live;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.testkit.machine.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.jar.JarFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.wiring.BundleWiring;

/** With real files and a real framework. */
@Timeout(60)
class DirectoryDeployerTest {
    private static final String OLD = "1.0.0";
    private static final String NEW = "2.0.0";

    /** An empty signature block (PKCS 7). */
    private static final byte[] NO_SIGNER = HexFormat.of()
            .parseHex("302306092a864886f70d010702a0163014020101" + "3100" + "300b06092a864886f70d010701" + "3100");

    @TempDir
    Path scratch;

    private DeployedFramework host;

    @BeforeEach
    void startFramework() throws Exception {
        host = new DeployedFramework(scratch, Duration.ofSeconds(30));
    }

    @AfterEach
    void stopFramework() throws Exception {
        host.close();
    }

    @Test
    void runsWhatIsDroppedAndForgetsWhatIsRemoved() throws Exception {
        host.deployer.start();
        service(OLD).write(file("service.jar"));
        assertEquals(
                List.of(), host.await(all -> isOnly(all, State.RUNNING)).get(0).heldBy());
        assertEquals(List.of("service " + OLD), bundles());
        Files.delete(file("service.jar"));
        host.await(List::isEmpty);
        assertEquals(List.of(), bundles());
        try (var kept = Files.list(scratch.resolve("store"))) {
            assertEquals(0, kept.count(), "copies of jars");
        }
    }

    @Test
    void runsWhatIsThereAtTheStartBeforeItIsSettled() throws Exception {
        service(OLD).write(file("service.jar"));
        Files.setLastModifiedTime(
                file("service.jar"), FileTime.from(Instant.now().minusSeconds(60)));
        Files.writeString(file("README.md"), "not a bundle, and nobody says it is");
        CountDownLatch settled = new CountDownLatch(1);
        host.deployer.start();
        host.deployer.whenSettled(settled::countDown);
        assertTrue(settled.await(1, TimeUnit.MINUTES));
        assertEquals(State.RUNNING, host.deployer.deployed().get(0).state());
    }

    @Test
    void isSettledAtOnceWhereThereIsNothing() throws Exception {
        Files.delete(host.directory);
        host.deployer.start();
        CountDownLatch settled = new CountDownLatch(1);
        host.deployer.whenSettled(settled::countDown);
        assertEquals(0, settled.getCount());
        Files.createDirectory(host.directory);
        service(OLD).write(file("service.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
    }

    @Test
    void hidesTheOldFromNewUsersAndKeepsItForThoseItHas() throws Exception {
        host.deployer.start();
        service(OLD).write(file("old.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        BundleUsage.Hold pin = host.uses.of(bundle(OLD)).take("application pi").orElseThrow();
        service(NEW).write(file("new.jar"));
        List<Deployed> both =
                host.await(all -> all.size() == 2 && !all.get(0).heldBy().isEmpty());
        assertEquals(State.DRAINING, both.get(0).state());
        assertEquals(List.of("application pi"), both.get(0).heldBy());
        assertEquals(State.RUNNING, both.get(1).state());
        assertEquals(List.of("service " + OLD, "service " + NEW), bundles());
        assertEquals(List.of(NEW), foundBy(bundle(NEW)), "the old is hidden");
        assertEquals(List.of(NEW, OLD), foundBy(bundle(OLD)), "but not from itself");
        pin.close();
        host.await(all -> all.get(0).state() == State.SUPERSEDED);
        assertEquals(List.of("service " + NEW), bundles());
        Files.delete(file("new.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        assertEquals(List.of("service " + OLD), bundles());
    }

    @Test
    void letsACallUnderWayFinishOnTheOld() throws Exception {
        host.deployer.start();
        service(OLD).write(file("service.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Live<?> live = host.live(Duration.ofSeconds(20)).live(Supplier.class, "")) {
            CompletableFuture<String> under = CompletableFuture.supplyAsync(() -> live.call(service -> {
                inside.countDown();
                await(goOn);
                return String.valueOf(((Supplier<?>) service).get()); // fails once its bundle has stopped
            }));
            assertTrue(inside.await(1, TimeUnit.MINUTES));
            service(NEW).write(file("service.jar"));
            host.await(all -> all.stream().anyMatch(entry -> entry.heldBy().equals(List.of("call of Supplier"))));
            assertEquals(
                    NEW, String.valueOf(live.<Object, RuntimeException>call(service -> ((Supplier<?>) service).get())));
            goOn.countDown();
            assertEquals(OLD, under.get(1, TimeUnit.MINUTES));
            host.await(all -> isOnly(all, State.RUNNING));
        }
    }

    @Test
    void makesACallWaitForTheNextProviderAndNoLongerThanItMay() throws Exception {
        host.deployer.start();
        try (Live<?> live = host.live(Duration.ofSeconds(20)).live(Supplier.class, "(hearth.test=version)")) {
            assertFalse(live.isThere());
            CompletableFuture<String> waiting = CompletableFuture.supplyAsync(
                    () -> live.call(service -> String.valueOf(((Supplier<?>) service).get())));
            service(OLD).write(file("service.jar"));
            assertEquals(OLD, waiting.get(1, TimeUnit.MINUTES));
            assertTrue(live.isThere());
        }
        try (Live<?> none = host.live(Duration.ofMillis(20)).live(Runnable.class, "")) {
            HearthException absent = assertThrows(HearthException.class, () -> none.call(service -> service));
            assertEquals("NO_PROVIDER", absent.code());
            assertTrue(String.valueOf(absent.getMessage()).contains("none was registered within 20 ms"));
        }
    }

    @Test
    void saysInWordsWhatIsWrongWithAFile() throws Exception {
        new TestingBundle("plain", OLD).without(Constants.BUNDLE_SYMBOLICNAME).write(file("plain.jar"));
        new TestingBundle("fragment", OLD).with(Constants.FRAGMENT_HOST, "host").write(file("fragment.jar"));
        new TestingBundle("odd", OLD).with(Constants.BUNDLE_VERSION, "one").write(file("odd.jar"));
        new TestingBundle("hearth-spi", NEW).write(file("spi.jar"));
        new TestingBundle("failing", OLD).activated(FailingActivator.class).write(file("failing.jar"));
        Files.writeString(file("text.jar"), "no jar at all");
        Files.write(file("damaged.jar"), damaged());
        for (String name : List.of("plain", "fragment", "odd", "spi", "failing", "text", "damaged")) {
            Files.setLastModifiedTime(
                    file(name + ".jar"), FileTime.from(Instant.now().minusSeconds(60)));
        }
        host.deployer.start();
        host.await(all -> all.size() == 7 && all.stream().allMatch(entry -> entry.state() == State.REFUSED));
        assertProblem("plain.jar", "a jar, but no bundle: its manifest has no Bundle-SymbolicName");
        assertProblem("fragment.jar", "a fragment of host");
        assertProblem("odd.jar", "Bundle-Version: ");
        assertProblem("spi.jar", "hearth-spi is part of the kernel");
        assertProblem("failing.jar", "its activator threw java.lang.IllegalStateException: broken on purpose");
        assertProblem("text.jar", "no complete jar: ");
        assertProblem("damaged.jar", "corrupt: entry ");
    }

    @Test
    void startsABundleOnDemandWithWhatItNeeds() throws Exception {
        host.deployer.start();
        service(OLD)
                .with(DeployedFramework.TRIGGERS, "master:x scheme:y")
                .with(DeployedFramework.NEEDS, "lib")
                .write(file("service.jar"));
        host.await(all -> isOnly(all, State.ON_DEMAND));
        assertEquals(List.of(), bundles());
        assertFalse(host.deployer.startFor(triggers -> triggers.contains("master:y")));
        HearthException failure = assertThrows(
                HearthException.class, () -> host.deployer.startFor(triggers -> triggers.contains("master:x")));
        assertEquals(
                "bundle service 1.0.0 (service.jar): needs [lib], which are missing (expected: there)",
                failure.getMessage());
        new TestingBundle("lib", "1.0").write(file("lib-1.0.jar"));
        host.await(all -> all.size() == 2 && all.stream().allMatch(one -> one.state() == State.RUNNING));
        service(NEW).with(DeployedFramework.TRIGGERS, "master:x").write(file("service.jar"));
        host.await(all -> all.stream().anyMatch(one -> one.version().equals(NEW) && one.state() == State.RUNNING));
    }

    @Test
    void startsABundleOnDemandForACallOfItsService() throws Exception {
        host.deployer.start();
        service(OLD)
                .with(DeployedFramework.TRIGGERS, "service:" + Supplier.class.getName())
                .write(file("service.jar"));
        host.await(all -> isOnly(all, State.ON_DEMAND));
        try (Live<?> live = host.live(Duration.ofSeconds(20)).live(Supplier.class, "(hearth.test=version)")) {
            assertEquals(OLD, live.call(supplier -> ((Supplier<?>) supplier).get()));
        }
        assertFalse(host.deployer.startFor(triggers -> true), "it runs already");
    }

    @Test
    void newVersionTakesNoPackageOfTheOldOne() throws Exception {
        host.deployer.start();
        service(OLD)
                .with("Export-Package", "a.api")
                .with("Import-Package", "org.osgi.framework,a.api")
                .write(file("service.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        service(NEW)
                .with("Export-Package", "a.api")
                .with("Import-Package", "org.osgi.framework,a.api")
                .write(file("service.jar"));
        host.await(all -> isOnly(all, State.RUNNING) && all.get(0).version().equals(NEW));
        assertEquals(List.of("service " + NEW), bundles());
    }

    @Test
    void laterBundlesImportFromTheVersionThatTookThePlaceOfAnother() throws Exception {
        host.deployer.start();
        service(OLD).with("Export-Package", "a.api").write(file("old.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        BundleUsage.Hold pin = host.uses.of(bundle(OLD)).take("application pi").orElseThrow();
        service(NEW).with("Export-Package", "a.api").write(file("new.jar"));
        host.await(all -> all.size() == 2 && !all.get(0).heldBy().isEmpty());
        new TestingBundle("importer", "3.0").with("Import-Package", "a.api").write(file("importer.jar"));
        host.await(
                all -> all.stream().anyMatch(each -> each.version().equals("3.0.0") && each.state() == State.RUNNING));
        List<Bundle> providers =
                bundle("3.0.0").adapt(BundleWiring.class).getRequiredWires("osgi.wiring.package").stream()
                        .map(wire -> wire.getProvider().getBundle())
                        .toList();
        assertEquals(List.of(bundle(NEW)), providers);
        pin.close();
        host.await(all -> all.get(0).state() == State.SUPERSEDED);
    }

    @Test
    void passesOverABundleOfAnotherRole() throws Exception {
        host.deployer.start();
        service(OLD)
                .with(DeployedFramework.NEVER, "it is for the roles [master]")
                .write(file("service.jar"));
        List<Deployed> all = host.await(found -> isOnly(found, State.OTHER_ROLE));
        assertEquals("it is for the roles [master]", all.get(0).problem());
        assertEquals(List.of(), bundles());
    }

    @Test
    void refusesWhatAFrameworkThatHasStoppedDoesNotInstall() throws Exception {
        service(OLD).write(file("service.jar"));
        ThreadEventLoop loop = new ThreadEventLoop("deploy", failure -> {});
        ClassUnloadMonitor classes = new ClassUnloadMonitor();
        BundleInstallations copies =
                new BundleInstallations(host.context(), host.uses, host.missing, needs -> Optional.empty(), classes);
        DirectoryDeployer.Parts parts = new DirectoryDeployer.Parts(
                new Deployment(Duration.ofMinutes(1), Set.of(), List.of()),
                new JarStore(scratch.resolve("store"), manifest -> StartRule.ALWAYS),
                copies,
                classes,
                Map.of());
        host.close();
        Duration interval = Duration.ofMillis(10);
        try (DirectoryDeployer deployer = new DirectoryDeployer(host.directory, interval, loop, () -> parts)) {
            deployer.start();
            Eventually.until(
                    "the jar is refused",
                    () -> isOnly(deployer.deployed(), State.REFUSED),
                    Duration.ofSeconds(20),
                    () -> "deployed: " + deployer.deployed());
        }
    }

    @Test
    void comesBackToABundleOfThePlatformWhoseFirstCopyStillDrains() throws Exception {
        Path jar = host.bundles.resolve("service.jar");
        service(OLD).write(jar);
        Bundle first = host.context().installBundle("reference:" + jar.toUri());
        first.start();
        host.deployer.start();
        BundleUsage.Hold hold = host.uses.of(first).take("application pi").orElseThrow();
        service(NEW).write(file("service.jar"));
        host.await(all -> all.size() == 2 && all.get(1).state() == State.RUNNING);
        Files.delete(file("service.jar"));
        host.await(all -> isOnly(all, State.DRAINING) && all.get(0).version().equals(OLD));
        assertEquals(List.of(OLD, OLD), foundBy(first), "the one that drains and the one that is new");
        hold.close();
        host.await(List::isEmpty);
        assertEquals(Bundle.UNINSTALLED, first.getState());
        assertEquals(List.of("service " + OLD), bundles());
        assertEquals(List.of(OLD), foundBy(bundle(OLD)));
    }

    @Test
    void goesOnWhileAnActivatorHangs() throws Exception {
        host.deployer.start();
        CountDownLatch goOn = new CountDownLatch(1);
        host.context().registerService(CountDownLatch.class, goOn, null);
        new TestingBundle("hanging", OLD).activated(HangingActivator.class).write(file("hanging.jar"));
        host.await(all -> isOnly(all, State.SETTLING) && !all.get(0).name().isEmpty());
        service(OLD).write(file("service.jar"));
        host.await(all -> all.stream().anyMatch(entry -> entry.state() == State.RUNNING));
        Files.delete(file("service.jar"));
        host.await(all -> isOnly(all, State.SETTLING));
        goOn.countDown();
        host.await(all -> isOnly(all, State.RUNNING));
    }

    @Test
    void runsAJarWhoseSignatureIsWrong() throws Exception {
        service(OLD)
                .file("META-INF/WRONG.SF", "Signature-Version: 1.0\r\n\r\n")
                .file("META-INF/WRONG.RSA", NO_SIGNER)
                .write(file("service.jar"));
        try (JarFile verifying = new JarFile(file("service.jar").toFile())) {
            assertThrows(
                    SecurityException.class,
                    () -> verifying
                            .getInputStream(verifying.getEntry("META-INF/WRONG.SF"))
                            .close());
        }
        host.deployer.start();
        host.await(all -> isOnly(all, State.RUNNING));
    }

    @Test
    void saysWhatAnUnresolvedBundleLacksAndStartsItWhenThatComes() throws Exception {
        new TestingBundle("library", "1.5.0")
                .with(Constants.EXPORT_PACKAGE, "a.library;version=\"1.5\";uses:=\"x,y\"")
                .write(host.bundles.resolve("library-1.5.jar"));
        new TestingBundle("user", OLD)
                .with(Constants.IMPORT_PACKAGE, "a.library;version=\"[1.2,2)\",nobody.has.it;resolution:=optional")
                .write(file("user.jar"));
        host.deployer.start();
        host.await(all -> isOnly(all, State.REFUSED));
        assertProblem(
                "user.jar",
                "lacks package a.library [1.2.0, 2.0.0) (expected: a bundle that offers it);"
                        + " [bundles/library-1.5.jar] could: put it into deploy/, or name it in the attribute needs of Hearth-Role");
        FrameworkInventory inventory = new FrameworkInventory(host.context(), host.missing, host.deployer);
        assertTrue(inventory.why("user").startsWith("user 1.0.0 is INSTALLED: lacks package a.library"));
        Files.copy(host.bundles.resolve("library-1.5.jar"), file("library.jar"));
        host.await(all -> all.size() == 2 && all.stream().allMatch(entry -> entry.state() == State.RUNNING));
        assertEquals("user 1.0.0 runs.", inventory.why("user"));
        Files.delete(file("library.jar"));
        List<Deployed> held =
                host.await(all -> all.stream().anyMatch(entry -> entry.heldBy().equals(List.of("bundle user 1.0.0"))));
        assertEquals(2, held.size());
        assertEquals(List.of("user " + OLD), bundles(), "uninstalled, its classes stay");
        Files.delete(file("user.jar"));
        host.await(List::isEmpty);
    }

    @Test
    void saysWhichServiceAComponentWaitsForAndWhoOffersOne() throws Exception {
        new TestingBundle("greeter", OLD)
                .with("Provide-Capability", "osgi.service;objectClass:List<String>=\"a.Greeter\"")
                .write(host.bundles.resolve("greeter-1.0.jar"));
        new TestingBundle("user", OLD)
                .with("Service-Component", "OSGI-INF/*.xml")
                .file("OSGI-INF/user.xml", """
                        <scr:component xmlns:scr="http://www.osgi.org/xmlns/scr/v1.4.0" name="a.User">
                          <implementation class="a.User"/>
                          <reference name="greeter" interface="a.Greeter"/>
                          <reference name="other" interface="a.Other" cardinality="0..n" policy="dynamic"/>
                        </scr:component>
                        """)
                .write(file("user.jar"));
        host.deployer.start();
        host.await(all -> isOnly(all, State.RUNNING));
        FrameworkInventory inventory = new FrameworkInventory(host.context(), host.missing, host.deployer);
        assertEquals(
                "user 1.0.0 runs.\n  Its component a.User waits for a service a.Greeter;"
                        + " [bundles/greeter-1.0.jar] declare to offer one.",
                inventory.why("user"));
        ComponentReferences references = ComponentReferences.of(bundle(OLD));
        assertTrue(references.areDynamic(List.of("a.Other")));
        assertFalse(references.areDynamic(List.of("a.Other", "a.Greeter")));
        assertFalse(references.areDynamic(List.of("a.Stranger")), "it was taken by hand");
        assertEquals("deploy", inventory.bundles().get(1).from());
        assertTrue(inventory.services().stream().anyMatch(service -> service.id() > 0));
        assertCode("BAD_ARGUMENT", () -> inventory.why("nobody"));
    }

    @Test
    void keepsWhatBundlesTookFromTheRegistryAndTheProcessNeedsForGood() throws Exception {
        host.close();
        host = new DeployedFramework(scratch.resolve("again"), Duration.ofMillis(50));
        host.deployer.start();
        service(OLD).write(file("service.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        new TestingBundle("user", "3.0.0").write(file("user.jar"));
        host.await(all -> all.size() == 2 && all.get(1).state() == State.RUNNING);
        Bundle user = bundle("3.0.0");
        ServiceReference<?> taken = user.getBundleContext().getServiceReference(Supplier.class);
        assertEquals(OLD, String.valueOf(((Supplier<?>) user.getBundleContext().getService(taken)).get()));
        assertTrue(host.uses.of(user).takeForGood("role test").isPresent());
        Files.delete(file("service.jar"));
        host.await(all -> all.get(0).heldBy().equals(List.of("bundle user 3.0.0")));
        CountDownLatch later = new CountDownLatch(1);
        assertFalse(later.await(300, TimeUnit.MILLISECONDS), "six times the bound");
        assertEquals(State.DRAINING, host.deployer.deployed().get(0).state());
        user.getBundleContext().ungetService(taken);
        host.await(all -> all.size() == 1);
    }

    @Test
    void saysThatAVersionIsThereAndDoesNotFit() throws Exception {
        host.deployer.start();
        new TestingBundle("library", OLD)
                .with(Constants.EXPORT_PACKAGE, "a.library;version=\"1.0\"")
                .write(file("library.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        new TestingBundle("user", OLD)
                .with(Constants.IMPORT_PACKAGE, "a.library;version=2")
                .write(file("user.jar"));
        host.await(all -> all.size() == 2 && all.get(1).state() == State.REFUSED);
        String problem = host.deployer.deployed().get(1).problem();
        assertTrue(problem.contains("lacks package a.library 2.0.0 or newer"), problem);
        assertTrue(problem.contains("library has version 1.0.0"), problem);
    }

    @Test
    void puttingAndTakingGoThroughTheDirectory() throws Exception {
        host.deployer.start();
        Path jar = scratch.resolve("service.jar");
        service(OLD).write(jar);
        assertEquals("service.jar", host.deployer.deploy(jar));
        host.await(all -> isOnly(all, State.RUNNING));
        host.deployer.undeploy("service.jar");
        host.await(List::isEmpty);
        assertCode("PATH_MISSING", () -> host.deployer.deploy(scratch.resolve("none.jar")));
        assertCode("NOT_DEPLOYED", () -> host.deployer.undeploy("service.jar"));
        assertCode("NOT_DEPLOYED", () -> host.deployer.undeploy("../service.jar"));
        assertTrue(Files.exists(jar));
        Files.delete(host.directory);
        Files.writeString(host.directory, "a file where the directory should be");
        assertCode("NOT_DEPLOYED", () -> host.deployer.deploy(jar));
        assertCode("NOT_DEPLOYED", () -> new DisabledDeployer("executor").deploy(jar));
    }

    @Test
    void stopsByForceAtTheEndOfTheBound() throws Exception {
        host.close();
        host = new DeployedFramework(scratch.resolve("again"), Duration.ofMillis(50));
        host.deployer.start();
        service(OLD).write(file("service.jar"));
        host.await(all -> isOnly(all, State.RUNNING));
        BundleUsage.Hold pin = host.uses.of(bundle(OLD)).take("application pi").orElseThrow();
        Files.delete(file("service.jar"));
        host.await(List::isEmpty);
        assertEquals(List.of(), bundles());
        pin.close();
    }

    private TestingBundle service(String version) {
        return new TestingBundle("service", version).activated(VersionActivator.class);
    }

    private Path file(String name) {
        return host.directory.resolve(name);
    }

    /** A bundle with one corrupt byte. */
    private byte[] damaged() throws Exception {
        Path whole = scratch.resolve("whole.jar");
        new TestingBundle("damaged", OLD).with("Padding", "x".repeat(40)).write(whole);
        byte[] bytes = Files.readAllBytes(whole);
        byte[] name = "META-INF/MANIFEST.MF".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i + name.length < bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + name.length, name, 0, name.length)) {
                bytes[i + name.length + 20] ^= 0x55; // inside the compressed data
                return bytes;
            }
        }
        throw new AssertionError("no manifest");
    }

    private void assertProblem(String file, String begin) {
        Deployed found = host.deployer.deployed().stream()
                .filter(entry -> entry.file().equals(file))
                .findFirst()
                .orElseThrow();
        assertTrue(found.problem().startsWith(begin), found::problem);
        assertTrue(found.problem().contains("(expected: "), found::problem);
    }

    private static void assertCode(String code, Runnable order) {
        assertEquals(code, assertThrows(HearthException.class, order::run).code());
    }

    private static boolean isOnly(List<Deployed> all, State state) {
        return all.size() == 1 && all.get(0).state() == state;
    }

    private List<String> bundles() {
        return Arrays.stream(host.context().getBundles())
                .filter(bundle -> bundle.getBundleId() != 0)
                .map(bundle -> bundle.getSymbolicName() + " " + bundle.getVersion())
                .toList();
    }

    private Bundle bundle(String version) {
        return Arrays.stream(host.context().getBundles())
                .filter(bundle -> bundle.getVersion().toString().equals(version) && bundle.getBundleId() != 0)
                .findFirst()
                .orElseThrow();
    }

    /** Versions of the suppliers that a bundle finds, newest first. */
    private List<String> foundBy(Bundle seeker) throws Exception {
        return seeker.getBundleContext().getServiceReferences(Supplier.class, null).stream()
                .map(ServiceReference::getBundle)
                .map(owner -> owner.getVersion().toString())
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertTrue(latch.await(20, TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
