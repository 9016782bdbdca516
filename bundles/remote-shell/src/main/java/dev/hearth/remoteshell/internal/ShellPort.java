package dev.hearth.remoteshell.internal;

import dev.hearth.api.HearthException;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.rpc.RpcEnv;
import dev.hearth.spi.rpc.RpcEnvFactory;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Optional;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A port for shells in a process that listens for nothing else: a kernel in the role {@code serve}, where
 * {@code hearth.shell.port} was given. Lives while its bundle is active; a port that cannot be had is logged.
 */
@Component
public final class ShellPort {
    private static final Logger LOG = LoggerFactory.getLogger(ShellPort.class);
    private static final String ROLE = "serve";

    private final Optional<RpcEnv> env;

    @Activate
    public ShellPort(@Reference KernelInfo kernel, @Reference RpcEnvFactory envs) {
        this.env = kernel.role().equals(ROLE) ? open(kernel, envs) : Optional.empty();
    }

    private static Optional<RpcEnv> open(KernelInfo kernel, RpcEnvFactory envs) {
        try {
            SettingsReader in = new SettingsReader(kernel.settings());
            Optional<Integer> port = in.find(RemoteShellSettings.PORT);
            String host = in.read(RemoteShellSettings.HOST);
            in.finish();
            return port.map(number -> {
                RpcEnv opened = envs.open(RpcSettings.listening(kernel.settings(), host, number));
                LOG.info("shells are heard at {}", opened.address().orElseThrow());
                return opened;
            });
        } catch (HearthException refused) {
            LOG.error("no port for shells: {}", refused.getMessage());
            return Optional.empty();
        }
    }

    @Deactivate
    void close() {
        env.ifPresent(RpcEnv::close);
    }
}
