package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.kernel.dropped.VersionActivator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;
import org.osgi.framework.wiring.FrameworkWiring;

/** One installation in a real framework, from its start to its refresh, and the users of its services. */
@Timeout(60)
class BundleInstallationsTest {
    private static final int COPY = 3;

    @TempDir
    Path scratch;

    private DeployedFramework host;
    private BundleInstallations copies;
    private Bundle bundle;

    @BeforeEach
    void startABundle() throws Exception {
        host = new DeployedFramework(scratch, Duration.ofSeconds(30)); // its deployer is not started
        copies = new BundleInstallations(
                host.context(), host.uses, host.missing, needs -> Optional.empty(), new ClassUnloadMonitor());
        Path jar = scratch.resolve("service.jar");
        new TestingBundle("service", "1.0").activated(VersionActivator.class).write(jar);
        copies.install(COPY, jar);
        copies.starting(COPY, List.of()).call();
        bundle = host.context().getBundles()[1];
    }

    @AfterEach
    void stopFramework() throws Exception {
        host.close();
    }

    @Test
    void refreshesOnceHoweverOftenItIsAskedTo() throws Exception {
        remove();
        AtomicInteger refreshes = new AtomicInteger();
        copies.refresh(COPY, refreshes::incrementAndGet);
        copies.refresh(COPY, refreshes::incrementAndGet);
        CountDownLatch others = new CountDownLatch(1); // the framework refreshes in the order of the calls
        host.context().getBundle(0).adapt(FrameworkWiring.class).refreshBundles(List.of(), event -> others.countDown());
        assertTrue(others.await(20, TimeUnit.SECONDS));
        assertEquals(1, refreshes.get());
    }

    @Test
    void forgetsWhoUsedABundleThatHasStopped() throws Exception {
        remove();
        assertFalse(host.uses.isHidden(bundle));
    }

    @Test
    void countsBundlesThatUseItsServicesButNotTheKernel() throws Exception {
        ServiceUsers users = new ServiceUsers();
        host.context().getService(host.context().getServiceReference(Supplier.class));
        bundle.getBundleContext().getService(bundle.getBundleContext().getServiceReference(Supplier.class));
        assertEquals(Set.of(), users.of(bundle));
        Path jar = scratch.resolve("user.jar");
        new TestingBundle("user", "2.0").write(jar);
        Bundle user = host.context().installBundle(jar.toUri().toString());
        user.start();
        user.getBundleContext().getService(user.getBundleContext().getServiceReference(Supplier.class));
        assertEquals(Set.of(user), users.of(bundle));
        assertFalse(copies.seal(COPY, false));
    }

    /** Hides, stops and uninstalls the bundle. */
    private void remove() throws Exception {
        copies.hide(COPY);
        assertTrue(copies.seal(COPY, false));
        copies.stopping(COPY).call();
        copies.stopped(COPY, Optional.empty());
    }
}
