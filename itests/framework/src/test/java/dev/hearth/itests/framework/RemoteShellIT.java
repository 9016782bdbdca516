package dev.hearth.itests.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shell.CommandRunner;
import dev.hearth.spi.shell.CommandRunner.CommandResult;
import dev.hearth.spi.shell.RemoteCommands;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.ServiceRegistration;

/**
 * Runs the shell's bundles in a real framework without a kernel: commands are services, and remote clients run them.
 */
@ExtendWith(PaxExamJupiter.class)
@Timeout(60)
public class RemoteShellIT {
    private static final long WAIT_SECONDS_MAX = 120;
    private static final Duration TIMEOUT = Duration.ofSeconds(WAIT_SECONDS_MAX);

    @Inject
    private RpcEnvFactory envs;

    @Inject
    private CommandRunner runner;

    @Inject
    private RemoteCommands remote;

    @Inject
    private BundleContext context;

    @Configuration
    public Option[] bundles() {
        return ClassPathBundles.platformWith(
                "org.apache.felix.gogo.runtime", "hearth-remote-shell", "hearth-shell-gogo");
    }

    @Test
    public void saysWhichServiceACommandMissesWhereThereIsNoKernel() {
        CommandResult result = runner.run("hearth:info", 80);
        assertEquals(1, result.status());
        assertTrue(result.errors().startsWith("error: hearth:info: no service KernelInfo"), result.errors());
        assertEquals(0, runner.run("hearth:threads --json", 80).status());
    }

    @Test
    public void offersAListeningEnvWhileItIsOpen() {
        assertEquals(null, context.getServiceReference(RpcEnv.class));
        RpcEnv connecting = envs.open(RpcSettings.connecting(Settings.empty()));
        assertEquals(null, context.getServiceReference(RpcEnv.class));
        RpcEnv listening = listen();
        assertEquals(listening, context.getService(context.getServiceReference(RpcEnv.class)));
        listening.close();
        connecting.close();
        assertEquals(null, context.getServiceReference(RpcEnv.class));
    }

    @Test
    public void runsLinesFromAfarAndInterruptsThoseNobodyWaitsFor() throws Exception {
        Waiter waiter = new Waiter();
        ServiceRegistration<Waiter> command = context.registerService(
                Waiter.class,
                waiter,
                FrameworkUtil.asDictionary(Map.of("osgi.command.scope", "test", "osgi.command.function", "linger")));
        try (RpcEnv listening = listen();
                RemoteCommands.Session session = remote.open(listening.address().orElseThrow())) {
            assertEquals(0, session.run("hearth:threads", 80, TIMEOUT).status());
            HearthException late =
                    assertThrows(HearthException.class, () -> session.run("test:linger", 80, Duration.ofMillis(200)));
            assertEquals("ASK_TIMED_OUT", late.code());
            assertTrue(waiter.interrupted.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
        } finally {
            command.unregister();
        }
    }

    @Test
    public void interruptsTheLineOfASessionThatIsGone() throws Exception {
        Waiter waiter = new Waiter();
        ServiceRegistration<Waiter> command = context.registerService(
                Waiter.class,
                waiter,
                FrameworkUtil.asDictionary(Map.of("osgi.command.scope", "test", "osgi.command.function", "linger")));
        try (RpcEnv listening = listen()) {
            RemoteCommands.Session session = remote.open(listening.address().orElseThrow());
            Thread caller = new Thread(
                    () -> assertThrows(HearthException.class, () -> session.run("test:linger", 80, TIMEOUT)), "caller");
            caller.start();
            assertTrue(waiter.begun.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
            session.close();
            assertTrue(waiter.interrupted.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS));
            caller.join(TIMEOUT.toMillis());
            assertTrue(!caller.isAlive());
        } finally {
            command.unregister();
        }
    }

    @Test
    public void saysThatAProcessRunsNoCommands() {
        HearthException nobody = assertThrows(
                HearthException.class,
                () -> remote.open(new RpcAddress("127.0.0.1", 1)).close());
        assertEquals("PEER_UNREACHABLE", nobody.code());
    }

    private RpcEnv listen() {
        return envs.open(RpcSettings.listening(Settings.empty(), "127.0.0.1", 0));
    }

    /** A command that ends only when interrupted. */
    public static final class Waiter {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch interrupted = new CountDownLatch(1);

        public void linger() throws InterruptedException {
            begun.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException wanted) {
                interrupted.countDown();
                throw wanted;
            }
        }
    }
}
