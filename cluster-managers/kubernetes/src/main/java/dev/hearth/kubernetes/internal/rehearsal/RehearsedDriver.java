package dev.hearth.kubernetes.internal.rehearsal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.cluster.DriverServices;
import dev.hearth.spi.cluster.ExecutorHost;
import dev.hearth.spi.cluster.ExecutorListener;
import dev.hearth.spi.cluster.ExecutorProfile;
import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.net.Bytes;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.EndpointUri;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Driver of an application whose executors never connect. Completes {@link #started} with the first one that runs. */
final class RehearsedDriver implements DriverServices, ExecutorListener {
    private final EventLoop loop;
    private final Settings settings;
    private final CompletableFuture<ExecutorId> started = new CompletableFuture<>();

    RehearsedDriver(EventLoop loop, Settings settings) {
        this.loop = loop;
        this.settings = settings;
    }

    CompletableFuture<ExecutorId> started() {
        return started;
    }

    @Override
    public EventLoop loop() {
        return loop;
    }

    @Override
    public ExecutorListener listener() {
        return this;
    }

    @Override
    public EndpointUri driverEndpoint() {
        return new EndpointUri("driver", new RpcAddress("127.0.0.1", 1));
    }

    @Override
    public Settings executorSettings() {
        return settings;
    }

    @Override
    public ExecutorProfile profile(ProfileId id) {
        return ExecutorProfile.of(settings);
    }

    @Override
    public void credentials(String kind, Bytes content) {
        // there is no executor that could receive them
    }

    @Override
    public RpcEnv rpc() {
        throw new UnsupportedOperationException("rehearsal: no messages");
    }

    @Override
    public ExecutorHost executorHost() {
        throw new UnsupportedOperationException("rehearsal: no executors in this process");
    }

    @Override
    public void started(ExecutorId executor, String host, int cores) {
        started.complete(executor);
    }

    @Override
    public void leaving(ExecutorId executor, String reason) {
        leaving(executor, reason, Duration.ZERO);
    }

    @Override
    public void lost(ExecutorId executor, LostExecutor why) {
        started.completeExceptionally(new IllegalStateException("rehearsal: executor " + executor + " lost: " + why));
    }

    @Override
    public void clusterLost(HearthException why) {
        started.completeExceptionally(why);
    }
}
