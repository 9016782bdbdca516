package dev.hearth.testkit;

import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;

/**
 * Driver of one application, for tests of backends whose executors are in other processes: has an endpoint, the default
 * profile and no settings for executors, and fails if it is asked for anything else. Tests say what happens with executors.
 */
public abstract class TestingDriver implements DriverServices, ExecutorListener {
    @Override
    public final ExecutorListener listener() {
        return this;
    }

    @Override
    public EndpointUri driverEndpoint() {
        return new EndpointUri("driver-1", new RpcAddress("10.0.0.1", 7078));
    }

    @Override
    public Settings executorSettings() {
        return Settings.empty();
    }

    @Override
    public ExecutorProfile profile(ProfileId id) {
        return ExecutorProfile.of(Settings.empty());
    }

    @Override
    public void credentials(String kind, Bytes content) {
        throw new AssertionError("credentials: set (expected: none)");
    }

    @Override
    public RpcEnv rpc() {
        throw new AssertionError("message system: asked for (expected: none, executors are in other processes)");
    }

    @Override
    public ExecutorHost executorHost() {
        throw new AssertionError("executor host: asked for (expected: none, executors are in other processes)");
    }
}
