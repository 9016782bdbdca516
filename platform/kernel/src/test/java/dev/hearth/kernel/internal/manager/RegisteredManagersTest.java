package dev.hearth.kernel.internal.manager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.kernel.internal.live.BundleUsage;
import dev.hearth.kernel.internal.live.BundleUsageRegistry;
import dev.hearth.spi.cluster.ClusterManager;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.PinnedManager;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.felix.framework.FrameworkFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceFactory;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.launch.Framework;

/** In a real framework, with several versions of bundles and services created lazily. */
class RegisteredManagersTest {
    @TempDir
    Path directory;

    private Framework framework;
    private final BundleUsageRegistry uses = new BundleUsageRegistry();
    private RegisteredManagers managers;
    private final List<String> made = new ArrayList<>();
    private Optional<String> reserve = Optional.empty(); // scheme of a manager that starts on demand

    @BeforeEach
    void startFramework() throws Exception {
        framework = new FrameworkFactory()
                .newFramework(Map.of(
                        Constants.FRAMEWORK_STORAGE,
                        directory.resolve("cache").toString(),
                        Constants.FRAMEWORK_SYSTEMPACKAGES_EXTRA,
                        "dev.hearth.spi.cluster",
                        Constants.FRAMEWORK_BSNVERSION,
                        Constants.FRAMEWORK_BSNVERSION_MULTIPLE));
        framework.start();
        managers =
                new RegisteredManagers(framework.getBundleContext(), uses, this::bring, RegisteredManagersTest::hint);
    }

    @AfterEach
    void stopFramework() throws Exception {
        framework.stop();
        framework.waitForStop(10_000);
    }

    @Test
    void takesTheHighestBundleVersionAndMakesNoOther() throws Exception {
        ClusterManager newer = offer("red", "10.0.0", "red");
        offer("red", "9.0.0", "red");
        offer("blue", "11.0.0", "blue");
        assertSame(newer, managers.pin(MasterUrl.parse("red://host:1"), "test").manager());
        assertEquals(List.of("red 10.0.0"), made);
    }

    @Test
    void bringsAManagerThatNobodyAskedForBefore() throws Exception {
        reserve = Optional.of("red");
        offer("blue", "1.0.0", "blue");
        assertEquals(
                "red",
                managers.pin(MasterUrl.parse("red://host:1"), "test").manager().toString());
        assertEquals(Optional.empty(), reserve);
        reserve = Optional.of("yellow");
        managers.pin(MasterUrl.parse("blue"), "test");
        assertEquals(Optional.of("yellow"), reserve, "what is there needs nothing brought");
        assertEquals(
                "cluster manager for scheme 'green': not installed (expected: one of [blue, red, yellow]);"
                        + " no bundle of this version offers it: check the master URL, or put one that does into bundles/ or"
                        + " deploy/",
                refusal("green"));
        assertEquals(
                "cluster manager for scheme 'yelow': not installed (expected: one of [blue, red, yellow]); did you mean"
                        + " yellow?",
                refusal("yelow"));
    }

    @Test
    void takesManagersOfSeveralSchemesAndForgetsThoseThatLeave() throws Exception {
        ClusterManager both = offer("both", "1.0.0", new String[] {"red", "blue"});
        assertSame(both, managers.pin(MasterUrl.parse("blue"), "test").manager());
        assertSame(both, managers.pin(MasterUrl.parse("red"), "test").manager());
        for (Bundle bundle : framework.getBundleContext().getBundles()) {
            if ("both".equals(bundle.getSymbolicName())) {
                bundle.uninstall();
            }
        }
        assertEquals(
                "cluster manager for scheme 'red': not installed (expected: one of []);"
                        + " no bundle of this version offers it: check the master URL, or put one that does into bundles/ or"
                        + " deploy/",
                refusal("red"));
    }

    @Test
    void passesOverWhatIsHiddenWhileItsPinsStay() throws Exception {
        ClusterManager older = offer("red", "1.0.0", "red");
        ClusterManager newer = offer("red", "2.0.0", "red");
        PinnedManager pinned = managers.pin(MasterUrl.parse("red"), "application pi");
        assertSame(newer, pinned.manager());
        BundleUsage use = use("2.0.0");
        assertEquals(List.of("application pi"), use.holders());
        use.hide();
        assertFalse(use.seal(), "it is pinned");
        assertSame(older, managers.pin(MasterUrl.parse("red"), "another").manager());
        pinned.close();
        pinned.close();
        assertEquals(List.of("red 1.0.0"), made);
        assertTrue(use.seal());
        use("1.0.0").hide();
        assertEquals(
                "cluster manager for scheme 'red': not installed (expected: one of []);"
                        + " no bundle of this version offers it: check the master URL, or put one that does into bundles/ or"
                        + " deploy/",
                refusal("red"));
    }

    private BundleUsage use(String version) {
        for (Bundle bundle : framework.getBundleContext().getBundles()) {
            if (bundle.getVersion().toString().equals(version) && "red".equals(bundle.getSymbolicName())) {
                return uses.of(bundle);
            }
        }
        throw new AssertionError("no bundle red " + version);
    }

    @Test
    void namesTheSchemesThereAre() throws Exception {
        offer("local", "1.0.0", "local");
        offer("hearth", "1.0.0", "hearth");
        assertEquals(
                "cluster manager for scheme 'yarn': not installed (expected: one of [hearth, local]);"
                        + " check the master URL, or put yarn-manager into bundles/ or deploy/",
                refusal("yarn"));
    }

    /** The bundle of a scheme, as far as it is known. */
    private static Optional<String> hint(String scheme) {
        return scheme.equals("yarn") ? Optional.of("yarn-manager") : Optional.empty();
    }

    private String refusal(String url) {
        HearthException failure = assertThrows(
                HearthException.class,
                () -> managers.pin(MasterUrl.parse(url), "test").manager());
        assertEquals("NO_MANAGER", failure.code());
        return String.valueOf(failure.getMessage());
    }

    /** A bundle that offers a manager, created lazily. */
    private ClusterManager offer(String name, String version, Object scheme) throws Exception {
        ClusterManager manager = (ClusterManager) Proxy.newProxyInstance(
                ClusterManager.class.getClassLoader(),
                new Class<?>[] {ClusterManager.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "equals" -> proxy == arguments[0];
                    case "toString" -> name;
                    default -> null;
                });
        BundleContext context = install(name, version).getBundleContext();
        context.registerService(
                ClusterManager.class,
                new ServiceFactory<ClusterManager>() {
                    @Override
                    public ClusterManager getService(Bundle bundle, ServiceRegistration<ClusterManager> registration) {
                        made.add(name + " " + version);
                        return manager;
                    }

                    @Override
                    public void ungetService(
                            Bundle bundle,
                            ServiceRegistration<ClusterManager> registration,
                            @Nullable ClusterManager service) {
                        made.remove(name + " " + version);
                    }
                },
                FrameworkUtil.asDictionary(Map.of(ClusterManager.SCHEME, scheme)));
        return manager;
    }

    private boolean bring(String scheme) {
        Optional<String> brought = reserve;
        reserve = Optional.empty();
        brought.ifPresent(name -> {
            try {
                offer(name, "1.0.0", name);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        return brought.isPresent();
    }

    private Bundle install(String name, String version) throws Exception {
        Path jar = directory.resolve(name + "-" + version + ".jar");
        write(jar, name, version);
        Bundle bundle = framework.getBundleContext().installBundle("reference:" + jar.toUri());
        bundle.start();
        return bundle;
    }

    private static void write(Path jar, String name, String version) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue(Constants.BUNDLE_MANIFESTVERSION, "2");
        attributes.putValue(Constants.BUNDLE_SYMBOLICNAME, name);
        attributes.putValue(Constants.BUNDLE_VERSION, version);
        attributes.putValue(Constants.IMPORT_PACKAGE, "dev.hearth.spi.cluster");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
    }
}
