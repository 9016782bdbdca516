package dev.hearth.spi.shuffle;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import org.osgi.annotation.versioning.ProviderType;

/** Opens shuffle services, one per worker. The bundle shuffle-service implements it. Any thread may call. */
@ProviderType
public interface ShuffleServiceFactory {
    /**
     * Opens the service of the worker {@code worker}, which listens with {@code rpc}. The service keeps the outputs
     * below the local directories in {@code settings}, or below {@code work} if there are none. It uses {@code loop}
     * until it is closed.
     */
    ShuffleService open(String worker, RpcEnv rpc, EventLoop loop, Path work, Settings settings);
}
