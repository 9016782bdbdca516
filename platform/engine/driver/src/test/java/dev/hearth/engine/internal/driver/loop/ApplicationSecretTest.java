package dev.hearth.engine.internal.driver.loop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.rpc.Secret;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Tests that the driver's port admits executors that know the secret of the application, given or random. */
class ApplicationSecretTest {
    private static final String OF_CLUSTER = "the-secret-of-the-cluster";
    private static final String OF_APPLICATION = "the-secret-of-the-application";

    @Test
    void admitsExecutorsThatKnowTheGivenSecret() {
        DriverFixture scene = scene(Map.of("hearth.authenticate.applicationSecret", OF_APPLICATION));
        assertEquals("", connect(scene, OF_APPLICATION));
        assertTrue(connect(scene, OF_CLUSTER).contains("no proof of one secret"), "the cluster's secret");
        Settings ofExecutors = ofExecutors(scene);
        assertEquals(Optional.of(OF_APPLICATION), ofExecutors.find("hearth.authenticate.secret"));
        assertEquals(Optional.empty(), ofExecutors.find("hearth.authenticate.applicationSecret"));
    }

    @Test
    void makesARandomSecretWithoutAGivenOne() {
        DriverFixture scene = scene(Map.of());
        String random = ofExecutors(scene).find("hearth.authenticate.secret").orElseThrow();
        assertNotEquals(OF_CLUSTER, random);
        assertEquals("", connect(scene, random));
        assertTrue(connect(scene, OF_APPLICATION).contains("no proof of one secret"), "a wrong secret");
    }

    private static DriverFixture scene(Map<String, String> more) {
        Settings settings = Settings.empty()
                .with("test", "hearth.authenticate", "true")
                .with("test", "hearth.authenticate.secret", OF_CLUSTER)
                .with("test", more);
        return new DriverFixture(settings.values());
    }

    private static Settings ofExecutors(DriverFixture scene) {
        return onLoop(scene, scene.services()::executorSettings);
    }

    private static <T> T onLoop(DriverFixture scene, Supplier<T> question) {
        CompletableFuture<T> answer = new CompletableFuture<>();
        scene.act(() -> answer.complete(question.get()));
        return answer.join();
    }

    /** Connects to the driver as an executor that knows {@code secret}. Returns the reason of a refusal, else nothing. */
    private static String connect(DriverFixture scene, String secret) {
        Settings settings = Settings.empty()
                .with("test", "hearth.authenticate", "true")
                .with("test", "hearth.authenticate.secret", secret);
        EndpointUri driver = onLoop(scene, scene.services()::driverEndpoint);
        RpcEnv rpc = scene.simulation.process("executor-" + secret.hashCode()).env(RpcSettings.connecting(settings));
        CompletableFuture<Peer> connected = rpc.scope(driver.endpoint(), Optional.of(Secret.of(secret)))
                .connect(driver.address())
                .toCompletableFuture();
        scene.run(Duration.ofSeconds(5));
        return connected
                .handle((peer, failure) -> failure == null ? "" : Failures.describe(failure))
                .join();
    }
}
