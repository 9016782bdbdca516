package dev.hearth.kernel.internal.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.kernel.Deployer.Deployed;
import dev.hearth.spi.kernel.Deployer.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.osgi.framework.Version;

/** Effects and status of the state machine between two results, which a simulated host reports at once. */
class DeploymentEffectsTest {
    private static final Duration DRAIN = Duration.ofMinutes(10);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final String FILE = "a.jar";
    private static final FileStamp STAMP = new FileStamp(1, 0, "inode");
    private static final BundleJar JAR = new BundleJar("A1", "a", Version.parseVersion("1.0"));

    private final Deployment deployment = new Deployment(DRAIN, Set.of(), List.of());
    private long now;

    @Test
    void discardsWhatWasReadFromAFileThatChangedMeanwhile() {
        assertEquals(List.of(), scan(Map.of(FILE, STAMP)));
        assertEquals(List.of(new DeployEffect.Read(FILE, STAMP)), scan(Map.of(FILE, STAMP)));
        scan(Map.of(FILE, new FileStamp(2, 0, "inode")));
        assertEquals(List.of(new DeployEffect.Discard("A1")), deployment.read(FILE, STAMP, JAR, now));
    }

    @Test
    void refusesWhatTheFrameworkDoesNotInstallAndForgetsItWithItsFile() {
        read();
        List<DeployEffect> said = deployment.notInstalled(0, "no bundle at all", now);
        assertEquals(List.of(new DeployEffect.LogMessage(true, JAR + " (a.jar): no bundle at all")), said);
        assertEquals(
                List.of(new Deployed(FILE, "A1", "a", "1.0.0", State.REFUSED, "no bundle at all", List.of())),
                deployment.deployed());
        assertTrue(remove().contains(new DeployEffect.Discard("A1")));
        assertEquals(List.of(), deployment.deployed());
    }

    @Test
    void showsNoUsersOnceTheyWereForcedOut() {
        read();
        deployment.installed(0, now);
        deployment.started(0, now);
        remove();
        List<String> users = List.of("application pi");
        deployment.held(0, users, false, now);
        assertEquals(users, deployment.deployed().get(0).heldBy());
        now += DRAIN.toNanos();
        assertEquals(List.of(new DeployEffect.Stop(0, true)), deployment.tick(now));
        deployment.stopping(0, now);
        deployment.stopped(0, users, now);
        assertEquals(State.DRAINING, deployment.deployed().get(0).state());
        assertEquals(List.of(), deployment.deployed().get(0).heldBy());
    }

    /** Reads the file, whose content becomes installation 0. */
    private void read() {
        scan(Map.of(FILE, STAMP));
        scan(Map.of(FILE, STAMP));
        assertEquals(List.of(new DeployEffect.Install(0, "A1")), deployment.read(FILE, STAMP, JAR, now));
    }

    /** Removes the file; returns the effects of the scan that takes it for removed. */
    private List<DeployEffect> remove() {
        scan(Map.of());
        return scan(Map.of());
    }

    private List<DeployEffect> scan(Map<String, FileStamp> seen) {
        now += INTERVAL.toNanos();
        return deployment.scan(seen, 0, now);
    }
}
