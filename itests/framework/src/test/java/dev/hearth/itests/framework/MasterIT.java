package dev.hearth.itests.framework;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.role.RoleLaunch;
import dev.hearth.spi.role.RoleMain;
import dev.hearth.spi.rpc.EndpointRef;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.inject.Inject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.ops4j.pax.exam.Configuration;
import org.ops4j.pax.exam.Option;
import org.osgi.framework.BundleContext;

/** A real master and a client that speaks its protocol by hand. */
@ExtendWith(PaxExamJupiter.class)
@Timeout(60)
public class MasterIT {
    private static final Duration ANSWER = Duration.ofSeconds(20);
    private static final int REGISTRATIONS = 2_000;
    private static final Protocol PROTOCOL = Protocol.named("master", MethodHandles.lookup())
            .message(1, RegisterWorker.class)
            .message(2, WorkerRegistered.class)
            .build();

    @Inject
    private RpcEnvFactory envs;

    @Inject
    private BundleContext context;

    record RegisterWorker(String worker, String host, int port, int cores, int memoryMebibytes) {}

    record WorkerRegistered(String refusal, long heartbeatMillis) {}

    @Configuration
    public Option[] bundles() {
        return ClassPathBundles.platformWith("hearth-standalone");
    }

    @Test
    public void registersOneWorkerOfAConnectionAndThoseOfOthers() throws Exception {
        RoleMain master = context.getService(context.getServiceReferences(RoleMain.class, "(hearth.role=master)")
                .iterator()
                .next());
        PipedOutputStream out = new PipedOutputStream();
        BufferedReader ready =
                new BufferedReader(new InputStreamReader(new PipedInputStream(out), StandardCharsets.UTF_8));
        PrintStream lines = new PrintStream(out, true, StandardCharsets.UTF_8);
        RoleLaunch launch =
                new RoleLaunch(Path.of("."), List.of("--port", "0"), Map.of(), Settings.empty(), lines, System.err);
        CompletableFuture<RoleMain.ExitStatus> end = CompletableFuture.supplyAsync(() -> run(master, launch));
        try (RpcEnv client = envs.open(RpcSettings.connecting(Settings.empty()));
                RpcEnv other = envs.open(RpcSettings.connecting(Settings.empty()))) {
            String url = ready.readLine();
            RpcAddress address =
                    RpcAddress.parse(url.substring("hearth://".length())).orElseThrow();
            List<CompletableFuture<WorkerRegistered>> answers = new ArrayList<>();
            EndpointRef one = endpoint(client, address);
            for (int i = 0; i < REGISTRATIONS; i++) {
                answers.add(register(one, "worker-" + i));
            }
            for (int i = 0; i < REGISTRATIONS; i++) {
                String refusal = answers.get(i).get(20, TimeUnit.SECONDS).refusal();
                assertEquals(i > 0, refusal.contains("hearth.deploy.workersPerConnectionMax"), refusal);
            }
            assertEquals(
                    "",
                    register(endpoint(other, address), "honest")
                            .get(20, TimeUnit.SECONDS)
                            .refusal());
        } finally {
            master.stop();
        }
        assertEquals(0, end.get(20, TimeUnit.SECONDS).status());
        assertTrue(end.isDone());
    }

    private static EndpointRef endpoint(RpcEnv env, RpcAddress address) throws Exception {
        Peer peer = env.connect(address).toCompletableFuture().get(20, TimeUnit.SECONDS);
        return peer.endpoint("master", PROTOCOL);
    }

    private static CompletableFuture<WorkerRegistered> register(EndpointRef master, String worker) {
        return master.ask(new RegisterWorker(worker, "127.0.0.1", 7078, 1, 1_024), WorkerRegistered.class, ANSWER)
                .toCompletableFuture();
    }

    private static RoleMain.ExitStatus run(RoleMain role, RoleLaunch launch) {
        try {
            return role.run(launch);
        } catch (Exception failure) {
            throw new AssertionError("master: " + failure, failure);
        }
    }
}
