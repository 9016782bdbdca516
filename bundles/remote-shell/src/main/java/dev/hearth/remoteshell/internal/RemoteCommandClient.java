package dev.hearth.remoteshell.internal;

import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.shell.RemoteCommands;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;

/**
 * Opens connections over which lines of the Hearth shell run in other processes. Each connection has a separate RPC
 * environment, which only connects and does not listen.
 */
@Component(service = RemoteCommands.class)
public final class RemoteCommandClient implements RemoteCommands {
    private final RpcEnvFactory envs;
    private final Optional<KernelInfo> kernel;

    @Activate
    public RemoteCommandClient(
            @Reference RpcEnvFactory envs,
            @Reference(cardinality = ReferenceCardinality.OPTIONAL) @Nullable KernelInfo kernel) {
        this.envs = envs;
        this.kernel = Optional.ofNullable(kernel);
    }

    @Override
    public Session open(RpcAddress address) {
        RpcSettings settings =
                RpcSettings.connecting(kernel.map(KernelInfo::settings).orElse(Settings.empty()));
        RpcEnv env = envs.open(settings);
        try {
            return new RemoteSession(env, address, BlockingReplies.forAnswer(env.connect(address), address.toString()));
        } catch (RuntimeException failure) {
            env.close();
            throw failure;
        }
    }
}
